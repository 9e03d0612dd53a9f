// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes the endpoints of one service. What a batch does is collected and judged once at its end,
 * by the service as it then is, so the order within a batch does not matter. Used by one writer,
 * for one batch.
 */
final class EndpointsEdit {

  private final Endpoints origin;

  private final List<Workload> arrived = new ArrayList<>();
  private final List<Workload> gone = new ArrayList<>(0);
  private boolean serviceSent;
  private boolean judgedAnew;

  EndpointsEdit(Endpoints origin) {
    this.origin = origin;
  }

  void add(Workload workload) {
    arrived.add(workload);
  }

  void remove(Workload workload) {
    gone.add(workload);
  }

  /** Has the service, which arrived or was sent again, judge what it may choose from. */
  void sendService() {
    serviceSent = true;
  }

  /** The service was removed: should it come back, all its endpoints are judged anew. */
  void removeService() {
    judgedAnew = true;
  }

  /**
   * The endpoints as changed.
   *
   * @param service the service after the batch; without one nothing is judged yet
   * @param isCurrent whether a workload that arrived is still there after the batch
   */
  Endpoints finish(@Nullable Service service, Predicate<Workload> isCurrent) {
    Predicate<Workload> remains = remaining();
    List<Workload> usable = new ArrayList<>(origin.size());
    List<Workload> withheld = new ArrayList<>(origin.withheld());
    for (Workload workload : origin.usableWorkloads()) {
      if (remains.test(workload)) {
        (!serviceSent || admits(service, workload) ? usable : withheld).add(workload);
      }
    }
    List<Workload> moreUsable = new ArrayList<>(arrived.size());
    List<Workload> moreWithheld = new ArrayList<>(0);
    for (Workload workload : origin.withheldWorkloads()) {
      if (remains.test(workload)) {
        (judgedAnew && admits(service, workload) ? moreUsable : moreWithheld).add(workload);
      }
    }
    for (Workload workload : arrived) {
      // Only what left can have been sent twice in the batch.
      if (gone.isEmpty() || isCurrent.test(workload)) {
        (admits(service, workload) ? moreUsable : moreWithheld).add(workload);
      }
    }
    return new Endpoints(
        origin.service(),
        UidOrder.merge(usable, moreUsable),
        UidOrder.merge(withheld, moreWithheld));
  }

  /** Tells those that did not leave; for the one of a single update without more ado. */
  @SuppressWarnings("ReferenceEquality") // An equal one may have taken its place.
  private Predicate<Workload> remaining() {
    if (gone.size() <= 1) {
      Workload left = gone.isEmpty() ? null : gone.get(0);
      return workload -> workload != left;
    }
    Set<Workload> left = Collections.newSetFromMap(new IdentityHashMap<>(gone.size()));
    left.addAll(gone);
    return workload -> !left.contains(workload);
  }

  private static boolean admits(@Nullable Service service, Workload workload) {
    return service == null || service.admits(workload.status());
  }
}
