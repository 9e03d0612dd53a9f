// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.Endpoints;
import io.heddle.internal.state.Service;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Why the endpoints of a service were passed over, to say it when none is left. */
final class EndpointTally {

  /** The reason of the endpoint that came nearest to being chosen is the one to report. */
  private static final List<Refusal> BY_PROGRESS =
      List.of(
          Refusal.NO_LOCALITY_MATCH,
          Refusal.NO_TARGET_PORT,
          Refusal.NO_ADDRESS,
          Refusal.OTHER_NETWORK);

  private final Map<Refusal, Integer> passedOver = new EnumMap<>(Refusal.class);

  void count(Refusal reason) {
    passedOver.merge(reason, 1, Integer::sum);
  }

  Selection.Shortage shortage(Service service, Endpoints endpoints) {
    Refusal reason = endpoints.withheld() > 0 ? Refusal.NONE_HEALTHY : Refusal.NO_ENDPOINTS;
    String of = service.key() + ", endpoints: ";
    StringJoiner detail = new StringJoiner(", ", of, "").setEmptyValue(of + "none");
    for (int i = BY_PROGRESS.size() - 1; i >= 0; i--) {
      Refusal candidate = BY_PROGRESS.get(i);
      int count = passedOver.getOrDefault(candidate, 0);
      if (count > 0) {
        reason = candidate;
        detail.add(count + " " + candidate.summary());
      }
    }
    if (endpoints.withheld() > 0) {
      detail.add(endpoints.withheld() + " unhealthy");
    }
    return new Selection.Shortage(reason, detail.toString());
  }
}
