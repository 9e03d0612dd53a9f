// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

/** Decides what becomes of the CONNECTs that a server receives. */
@FunctionalInterface
public interface TunnelAcceptor {

  /**
   * A well-formed CONNECT from a peer whose identity is verified. Called on the request's event
   * loop, and must not block it; the answer, {@link TunnelRequest#accept} or {@link
   * TunnelRequest#refuse}, may come later. An exception refuses the request with 503.
   *
   * @param request the request
   */
  void onConnect(TunnelRequest request);
}
