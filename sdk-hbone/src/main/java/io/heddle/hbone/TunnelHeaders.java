// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import org.jspecify.annotations.Nullable;

/**
 * The headers that travel with a CONNECT, as their values on the wire; null means absent. A reader
 * finds all lines of {@code baggage} joined by commas, and the first line of the others.
 *
 * @param baggage the source workload, see {@link Baggage}
 * @param forwarded the source connection and the service, see {@link Forwarded}
 * @param traceparent the tunnel's name in logs, see {@link Traceparent}
 * @param forwardedNetwork {@code x-forwarded-network}: the source network, on the inner CONNECT of
 *     a double tunnel only; may be empty
 */
public record TunnelHeaders(
    @Nullable String baggage,
    @Nullable String forwarded,
    @Nullable String traceparent,
    @Nullable String forwardedNetwork) {

  /** No headers. */
  public static final TunnelHeaders NONE = new TunnelHeaders(null, null, null, null);

  /**
   * Checks that every value can be a header's.
   *
   * @param baggage the source workload, or null
   * @param forwarded the source connection and the service, or null
   * @param traceparent the tunnel's name in logs, or null
   * @param forwardedNetwork the source network, or null
   */
  public TunnelHeaders {
    HeaderText.checkFieldValue("baggage", baggage);
    HeaderText.checkFieldValue("forwarded", forwarded);
    HeaderText.checkFieldValue("traceparent", traceparent);
    HeaderText.checkFieldValue("x-forwarded-network", forwardedNetwork);
  }

  /**
   * The same headers for the inner CONNECT of a double tunnel.
   *
   * @param network the source network; may be empty
   * @return these headers and {@code x-forwarded-network}
   */
  public TunnelHeaders withForwardedNetwork(String network) {
    return new TunnelHeaders(baggage, forwarded, traceparent, network);
  }
}
