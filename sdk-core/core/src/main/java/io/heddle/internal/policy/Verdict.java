// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the policies of a destination say about a connection. */
public sealed interface Verdict {

  /** What dry-run policies would have done, one line each, for the log and the metrics. */
  List<String> dryRunNotes();

  /** Whether the connection is admitted. */
  boolean isAllowed();

  /**
   * The connection is admitted.
   *
   * @param by the ALLOW policy that admits it, or null when the destination has no ALLOW policy
   * @param dryRunNotes what dry-run policies would have done
   */
  record Allowed(@Nullable String by, List<String> dryRunNotes) implements Verdict {
    /** Copies the list. */
    public Allowed {
      dryRunNotes = List.copyOf(dryRunNotes);
    }

    @Override
    public boolean isAllowed() {
      return true;
    }
  }

  /**
   * The connection is refused.
   *
   * @param reason why
   * @param policy the policy that decides, where one does
   * @param message the reason in words; for the first two reasons the words of the peer's log
   * @param dryRunNotes what dry-run policies would have done
   */
  record Denied(Reason reason, @Nullable String policy, String message, List<String> dryRunNotes)
      implements Verdict {
    /** Copies the list. */
    public Denied {
      dryRunNotes = List.copyOf(dryRunNotes);
    }

    @Override
    public boolean isAllowed() {
      return false;
    }

    /**
     * Whether the policies that are still to arrive can turn the verdict, so that waiting helps.
     */
    public boolean isProvisional() {
      return reason == Reason.POLICY_NOT_ARRIVED;
    }
  }

  /** Why a connection is refused. */
  enum Reason {
    /** A DENY policy matches. */
    EXPLICITLY_DENIED,
    /** There are ALLOW policies and none matches. */
    NONE_ALLOWED,
    /** The connection did not come through the waypoint of the destination. */
    WAYPOINT_BYPASSED,
    /** The destination names a policy that has not arrived, and no DENY decides without it. */
    POLICY_NOT_ARRIVED
  }
}
