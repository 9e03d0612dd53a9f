// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who may answer a dial (HBONE reference 1.2). */
final class ExpectedIdentities {

  private ExpectedIdentities() {}

  /**
   * The names of the service that are SPIFFE ids, and the workload's own; empty if there is none.
   */
  static List<SpiffeId> of(Selection.Chosen chosen) {
    Optional<SpiffeId> own = ofWorkload(chosen.workload());
    List<SpiffeId> named = of(chosen.service());
    if (named.isEmpty()) {
      return own.map(List::of).orElse(named);
    }
    Set<SpiffeId> identities = new LinkedHashSet<>(named);
    own.ifPresent(identities::add);
    return List.copyOf(identities);
  }

  /** The names of the service that are SPIFFE ids. */
  static List<SpiffeId> of(@Nullable Service service) {
    return service == null || service.subjectAltNames().isEmpty()
        ? List.of()
        : service.subjectAltNames().stream()
            .flatMap(name -> parse(name).stream())
            .distinct()
            .toList();
  }

  private static Optional<SpiffeId> ofWorkload(Workload workload) {
    try {
      return Optional.of(
          SpiffeId.workload(
              TrustDomain.parse(workload.trustDomain()),
              workload.namespace(),
              workload.serviceAccount()));
    } catch (InvalidSpiffeIdException incomplete) {
      return Optional.empty();
    }
  }

  private static Optional<SpiffeId> parse(String name) {
    try {
      return Optional.of(SpiffeId.parse(name));
    } catch (InvalidSpiffeIdException otherKindOfName) {
      return Optional.empty();
    }
  }
}
