// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one service. Health is judged when an endpoint comes in or when the service is
 * sent again, and what was withheld then stays withheld until it is sent again: allowing unhealthy
 * endpoints later does not bring it back (HBONE reference 2.3).
 */
public final class Endpoints {

  private static final Workload[] NOBODY = {};

  /** No endpoints. */
  public static final Endpoints NONE =
      new Endpoints(new NamespacedHostname("", ""), NOBODY, NOBODY);

  private final NamespacedHostname service;

  /** In the order of {@link UidOrder}. */
  private final Workload[] usable;

  /** In the order of {@link UidOrder}. */
  private final Workload[] withheld;

  /** Made when first asked for. A race makes it twice, to the same content. */
  private @Nullable List<Endpoint> list;

  Endpoints(NamespacedHostname service, Workload[] usable, Workload[] withheld) {
    this.service = service;
    this.usable = usable;
    this.withheld = withheld;
  }

  static Endpoints none(NamespacedHostname service) {
    return new Endpoints(service, NOBODY, NOBODY);
  }

  /** The endpoints to choose from. The same list every time, in an order that only uids decide. */
  public List<Endpoint> all() {
    List<Endpoint> known = list;
    if (known == null) {
      List<Endpoint> made = new ArrayList<>(usable.length);
      for (Workload workload : usable) {
        made.add(endpoint(workload));
      }
      known = List.copyOf(made);
      list = known;
    }
    return known;
  }

  /** The endpoint of one workload. */
  public @Nullable Endpoint of(String workloadUid) {
    int hash = workloadUid.hashCode();
    for (int i = UidOrder.firstIndex(usable, hash);
        i < usable.length && usable[i].uidHash() == hash;
        i++) {
      if (usable[i].hasUid(workloadUid)) {
        return endpoint(usable[i]);
      }
    }
    return null;
  }

  /** The number of endpoints to choose from. */
  public int size() {
    return usable.length;
  }

  /** The number of endpoints left out for their health; tells "none healthy" from "none at all". */
  public int withheld() {
    return withheld.length;
  }

  NamespacedHostname service() {
    return service;
  }

  boolean holdsNothing() {
    return usable.length == 0 && withheld.length == 0;
  }

  List<Workload> usableWorkloads() {
    return Arrays.asList(usable);
  }

  List<Workload> withheldWorkloads() {
    return Arrays.asList(withheld);
  }

  private Endpoint endpoint(Workload workload) {
    return new Endpoint(workload, workload.services().getOrDefault(service, PortMap.EMPTY));
  }

  @Override
  public String toString() {
    return usable.length + " endpoints, " + withheld.length + " withheld";
  }
}
