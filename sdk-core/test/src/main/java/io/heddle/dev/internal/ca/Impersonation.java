// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.ca;

import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.token.Caller;
import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a node's proxy may have a certificate in a workload's name (control-plane reference 4.5).
 * A workload of the catalog is a pod here, and its uid the pod's.
 */
final class Impersonation {

  private final Set<String> trustedAccounts;
  private final TrustDomain trustDomain;

  Impersonation(Set<String> trustedAccounts, TrustDomain trustDomain) {
    this.trustedAccounts = Set.copyOf(trustedAccounts);
    this.trustDomain = trustDomain;
  }

  /** The identity, if the caller may have it; which rule failed is nobody's business. */
  Optional<SpiffeId> allowed(Caller caller, String identity, Catalog catalog) {
    if (!trustedAccounts.contains(caller.account()) || caller.pod().isEmpty()) {
      return Optional.empty();
    }
    List<Workload> pods = catalog.pods();
    Optional<Workload> own = pods.stream().filter(pod -> isPodOf(caller, pod)).findFirst();
    return own.flatMap(
        pod -> id(identity).filter(id -> pods.stream().anyMatch(other -> runs(other, id, pod))));
  }

  private static boolean isPodOf(Caller caller, Workload pod) {
    return pod.namespace().equals(caller.namespace())
        && pod.name().equals(caller.pod())
        && pod.uid().equals(caller.podUid())
        && pod.serviceAccount().equals(caller.serviceAccount());
  }

  private static boolean runs(Workload pod, SpiffeId id, Workload beside) {
    return pod.node().equals(beside.node())
        && id.namespace().filter(pod.namespace()::equals).isPresent()
        && id.serviceAccount().filter(pod.serviceAccount()::equals).isPresent();
  }

  private Optional<SpiffeId> id(String identity) {
    try {
      return Optional.of(SpiffeId.parse(identity))
          .filter(id -> id.trustDomain().equals(trustDomain));
    } catch (InvalidSpiffeIdException e) {
      return Optional.empty();
    }
  }
}
