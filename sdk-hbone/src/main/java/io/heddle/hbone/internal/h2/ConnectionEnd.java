// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.TunnelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why one connection ends: the first cause counts, unless we end it ourselves. Event loop only. */
final class ConnectionEnd {
  private static final Logger logger = LoggerFactory.getLogger(TunnelConnection.class);
  private static final String UNEXPLAINED = "closed by the peer";

  private final String peer;
  private @Nullable String reason;
  private @Nullable Throwable cause;
  private boolean orderly;

  /**
   * Makes an end that has not come yet.
   *
   * @param peer the other end, as errors and logs name it
   */
  ConnectionEnd(String peer) {
    this.peer = peer;
  }

  /** We end it for this reason, and what ends with it worries nobody. */
  void expect(String why) {
    orderly = true;
    reason = why;
  }

  /** We give it up for this reason. */
  void fail(String why) {
    reason = why;
  }

  /** The peer ends it, or something broke: of interest if nothing else was known before. */
  void suspect(String why, @Nullable Throwable error) {
    if (reason == null) {
      reason = why;
      cause = error;
    }
  }

  void error(Throwable error) {
    if (cause == null) {
      cause = error;
    }
  }

  /** The peer says that it ends the connection in order. */
  void isOrderly() {
    orderly = true;
  }

  /** Why tunnels of this connection end before their time. */
  TunnelException lost() {
    return new TunnelException.ConnectionLost(
        "connection to " + peer + " was lost: " + (reason != null ? reason : UNEXPLAINED), cause);
  }

  /** Only what takes tunnels with it, and was not meant to, is worth a warning. */
  void log(Duration age, int tunnels) {
    String why = reason != null ? reason : UNEXPLAINED;
    if (cause != null) {
      why = why + " (" + cause + ")";
    }
    if (!orderly && tunnels > 0) {
      logger.warn(
          "connection to {} ended after {} with {} open tunnels: {}", peer, age, tunnels, why);
    } else {
      logger.debug("connection to {} ended after {}: {}", peer, age, why);
    }
  }
}
