// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This process among the workloads: found by uid where that is known, which tells two workloads of
 * one name apart, else by name, and never by address (HBONE reference 2).
 */
public final class OwnWorkload {

  private final WorkloadIndex index;
  private final WorkloadInfo info;
  private final @Nullable String uid;

  OwnWorkload(WorkloadIndex index, WorkloadInfo info, @Nullable String uid) {
    this.index = index;
    this.info = info;
    this.uid = uid;
  }

  /** What the certificate of a workload says. */
  static SpiffeId id(Workload record, TrustDomain fallback) {
    TrustDomain trustDomain =
        record.trustDomain().isEmpty() ? fallback : TrustDomain.parse(record.trustDomain());
    return SpiffeId.workload(trustDomain, record.namespace(), record.serviceAccount());
  }

  /** Refuses a certificate that is somebody else's. */
  static void requireId(SpiffeId certified, SpiffeId id) {
    if (!certified.equals(id)) {
      throw new StartRefusedException(
          "the certificate is for " + certified + ", but this workload is " + id,
          "give the mesh the workload that its certificate names, or the certificate of its"
              + " workload; TRUST_DOMAIN must be the mesh's",
          null);
    }
  }

  /** Its record as known now; null while it is unknown. */
  public @Nullable Workload now() {
    return in(index.current());
  }

  private @Nullable Workload in(MeshSnapshot snapshot) {
    Workload byUid = uid == null ? null : snapshot.workload(uid);
    return byUid == null ? snapshot.workload(info) : byUid;
  }

  /** Its record once it is known; null if it is not within so much time. */
  @Nullable Workload await(Duration patience) {
    CountDownLatch known = new CountDownLatch(1);
    WorkloadIndex.Registration registration =
        index.onPublish(
            (former, next) -> {
              if (in(next) != null) {
                known.countDown();
              }
            });
    try (registration) {
      // After registering: what is published in between is seen by one of the two.
      if (now() == null) {
        boolean inTime = known.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        return inTime ? now() : null;
      }
      return now();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Whether an update changes what inbound connections are judged by. */
  boolean isAffected(MeshSnapshot former, MeshSnapshot next) {
    if (former.policies() != next.policies()) {
      return true;
    }
    Workload before = in(former);
    Workload after = in(next);
    return before == null
        || after == null
        || !before.authorizationPolicies().equals(after.authorizationPolicies());
  }
}
