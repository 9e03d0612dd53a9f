// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to the control plane stands.
 *
 * @param state where it is
 * @param attempts how many connections were begun
 * @param lastError why the latest connection ended, with advice; null if none has, or if it was the
 *     control plane's routine
 * @param types the subscriptions
 */
public record AdsStatus(
    State state, long attempts, @Nullable String lastError, Map<ResourceType, Type> types) {

  /** Copies the map. */
  public AdsStatus {
    types = Map.copyOf(types);
  }

  /** Where a connection is. */
  public enum State {
    /** A stream was opened; not every subscription was answered. */
    CONNECTING,
    /** Every subscription was answered. */
    CONNECTED,
    /** Between two connections; the state is kept and served. */
    WAITING,
    /** For good. */
    CLOSED
  }

  /**
   * How a subscription stands.
   *
   * @param acknowledged whether an answer was ever acknowledged
   * @param accepted how many resources are held in the version that was sent last
   * @param rejections how many resources were rejected so far, counted at each sending
   * @param rejected the resources that were rejected when they were sent last, the first thousand,
   *     with the reasons
   */
  public record Type(
      boolean acknowledged, int accepted, long rejections, Map<String, String> rejected) {}
}
