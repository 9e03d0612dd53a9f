// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import org.jspecify.annotations.Nullable;

/** The outcome of choosing who shall take a connection. */
sealed interface Selection {

  /**
   * A workload takes it.
   *
   * @param workload the workload
   * @param port its port
   * @param service the service of which it was chosen, or null
   */
  record Chosen(Workload workload, int port, @Nullable Service service) implements Selection {
    IpFamilies ipFamilies() {
      return service == null ? IpFamilies.AUTOMATIC : service.ipFamilies();
    }
  }

  /**
   * Nobody can take it.
   *
   * @param reason why
   * @param detail what was found
   */
  record Shortage(Refusal reason, String detail) implements Selection {}

  /** What is looked for; the filters differ (HBONE reference 2.3). */
  enum Purpose {
    /** The destination itself. */
    DESTINATION,
    /** A waypoint, whose service need not declare a port. */
    WAYPOINT,
    /** A gateway of another network, which is dialled there. */
    GATEWAY
  }
}
