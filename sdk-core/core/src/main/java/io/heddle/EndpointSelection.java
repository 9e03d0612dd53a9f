// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.time.Duration;
import java.util.Objects;

/**
 * How this process chooses among the endpoints that the service's own load balancing leaves, which
 * is always obeyed.
 *
 * @param leastActive whether the endpoint with the fewest connections of this process goes first,
 *     for its capacity; otherwise capacity alone decides
 * @param ejectAfter consecutive failed dials after which an endpoint is left out for a while, as
 *     long as there are others; 0 for never
 * @param ejection how long the first time, at most a day; each further time twice as long, up to 32
 *     times
 * @param attempts how many endpoints are tried for one connection, before any byte of it was sent;
 *     at least 1
 */
public record EndpointSelection(
    boolean leastActive, int ejectAfter, Duration ejection, int attempts) {

  private static final Duration LONGEST = Duration.ofDays(1);

  /**
   * Checks the ranges.
   *
   * @param leastActive whether the least used endpoint goes first
   * @param ejectAfter failed dials in a row, at least 0
   * @param ejection not negative, at most a day
   * @param attempts at least 1
   */
  public EndpointSelection {
    Objects.requireNonNull(ejection, "ejection");
    if (ejectAfter < 0 || attempts < 1) {
      throw new IllegalArgumentException(
          "ejectAfter " + ejectAfter + " (expected: >= 0), attempts " + attempts + " (>= 1)");
    }
    if (ejection.isNegative() || ejection.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("ejection " + ejection + " (expected: up to a day)");
    }
  }

  /**
   * Fewest connections first, three attempts, and ejection for ten seconds after three failures.
   *
   * @return the defaults
   */
  public static EndpointSelection defaults() {
    return new EndpointSelection(true, 3, Duration.ofSeconds(10), 3);
  }

  /**
   * What the ambient node proxy does: capacity alone decides, and nothing is tried twice.
   *
   * @return a selection without anything of our own
   */
  public static EndpointSelection likeNodeProxy() {
    return new EndpointSelection(false, 0, Duration.ZERO, 1);
  }
}
