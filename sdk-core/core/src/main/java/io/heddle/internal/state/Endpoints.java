// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one service. Health is judged when an endpoint comes in or when the service is
 * sent again, and what was withheld then stays withheld until it is sent again: allowing unhealthy
 * endpoints later does not bring it back (HBONE reference 2.3).
 */
public final class Endpoints {

  /** No endpoints. */
  public static final Endpoints NONE = new Endpoints(PersistentMap.empty(), PersistentMap.empty());

  private final PersistentMap<String, Endpoint> usable;
  private final PersistentMap<String, Endpoint> withheld;

  /** Made when first asked for. A race makes it twice, to the same content. */
  private @Nullable List<Endpoint> list;

  private Endpoints(
      PersistentMap<String, Endpoint> usable, PersistentMap<String, Endpoint> withheld) {
    this.usable = usable;
    this.withheld = withheld;
  }

  /** The endpoints to choose from. The same list every time, in an order that only uids decide. */
  public List<Endpoint> all() {
    List<Endpoint> known = list;
    if (known == null) {
      known = List.copyOf(usable.values());
      list = known;
    }
    return known;
  }

  /** The endpoint of one workload. */
  public @Nullable Endpoint of(String workloadUid) {
    return usable.get(workloadUid);
  }

  /** The number of endpoints to choose from. */
  public int size() {
    return usable.size();
  }

  /** The number of endpoints left out for their health; tells "none healthy" from "none at all". */
  public int withheld() {
    return withheld.size();
  }

  boolean holdsNothing() {
    return usable.isEmpty() && withheld.isEmpty();
  }

  /** Adds or replaces an endpoint. Without a service nothing is judged yet. */
  Endpoints with(Endpoint endpoint, @Nullable Service service) {
    String uid = endpoint.workload().uid();
    return service == null || service.admits(endpoint.workload().status())
        ? new Endpoints(usable.with(uid, endpoint), withheld.without(uid))
        : new Endpoints(usable.without(uid), withheld.with(uid, endpoint));
  }

  Endpoints without(String uid) {
    return new Endpoints(usable.without(uid), withheld.without(uid));
  }

  /** What is left when the service arrives or is sent again. */
  Endpoints judgedBy(Service service) {
    Endpoints judged = this;
    for (Endpoint endpoint : all()) {
      if (!service.admits(endpoint.workload().status())) {
        judged = judged.with(endpoint, service);
      }
    }
    return judged;
  }

  /** All endpoints as they wait for a service: without one, none is withheld. */
  Endpoints unjudged() {
    Endpoints waiting = this;
    for (Endpoint endpoint : withheld.values()) {
      waiting = waiting.with(endpoint, null);
    }
    return waiting;
  }

  @Override
  public String toString() {
    return usable.size() + " endpoints, " + withheld.size() + " withheld";
  }
}
