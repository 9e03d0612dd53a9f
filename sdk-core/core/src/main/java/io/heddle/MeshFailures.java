// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.TunnelException;
import io.heddle.identity.IdentityException;
import io.heddle.internal.outbound.RouteRefusedException;
import io.netty.channel.ConnectTimeoutException;
import java.net.UnknownHostException;

/** Says in the words of the facade why something failed below it. */
final class MeshFailures {

  private MeshFailures() {}

  static MeshException of(String asked, Throwable cause) {
    if (cause instanceof MeshException already) {
      return already;
    }
    if (cause instanceof RouteRefusedException refused) {
      return new MeshException.NoRoute(asked, refused.decided(), refused.advice());
    }
    if (cause instanceof TunnelException tunnel) {
      return of(asked, tunnel);
    }
    if (cause instanceof IdentityException identity) {
      return identity(asked, identity);
    }
    if (cause instanceof UnknownHostException) {
      return new MeshException.NoRoute(
          asked,
          "neither the mesh nor the resolver knows this host",
          "check the name; names of the mesh are service, service.namespace or the full host name");
    }
    return new MeshException.ConnectFailed(
        asked,
        String.valueOf(cause.getMessage()),
        "check that the destination listens and that nothing filters the port",
        cause instanceof ConnectTimeoutException,
        cause);
  }

  private static MeshException of(String asked, TunnelException cause) {
    if (cause instanceof TunnelException.Refused refused) {
      return refused(asked, refused);
    }
    String decided = String.valueOf(cause.getMessage());
    if (cause instanceof TunnelException.PeerRejected) {
      return new MeshException.PeerUntrusted(
          asked,
          decided,
          "compare the peer's SPIFFE id, both trust domains and the trust bundles",
          cause);
    }
    if (cause instanceof TunnelException.Closed) {
      return new MeshException.Closed(asked);
    }
    if (cause.getCause() instanceof IdentityException identity) {
      return identity(asked, identity);
    }
    boolean timedOut = cause instanceof TunnelException.ConnectFailed && cause.getCause() == null;
    return new MeshException.ConnectFailed(
        asked,
        decided,
        "check that the peer listens on its HBONE port and that no network policy blocks it",
        timedOut,
        cause);
  }

  private static MeshException refused(String asked, TunnelException.Refused cause) {
    String decided = "the peer answered " + cause.status();
    return switch (cause.kind()) {
      case DENIED ->
          new MeshException.PolicyDenied(
              asked,
              "denied by the destination's authorization policy (" + cause.status() + ")",
              "allow this workload's identity in an authorization policy of the destination; its"
                  + " access log names the policy",
              cause);
      case UNAVAILABLE ->
          new MeshException.PeerRefused(
              asked,
              decided + ": its application cannot be reached",
              "check that the application listens on the port that the service names",
              cause.status(),
              cause);
      case BAD_REQUEST ->
          new MeshException.PeerRefused(
              asked,
              decided + ": it does not serve this address",
              "the mesh state of the two ends differs; retry when it has settled",
              cause.status(),
              cause);
      case OTHER ->
          new MeshException.PeerRefused(
              asked, decided, "look at the log of the peer", cause.status(), cause);
    };
  }

  private static MeshException identity(String asked, IdentityException cause) {
    return new MeshException.IdentityUnavailable(
        asked,
        String.valueOf(cause.getMessage()),
        "look at the health of the identity source",
        cause);
  }
}
