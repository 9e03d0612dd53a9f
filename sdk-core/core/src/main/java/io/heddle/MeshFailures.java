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
    if (cause instanceof TunnelException.Nested nested) {
      return of(asked, place(nested.layer()), nested.failure(), nested);
    }
    if (cause instanceof TunnelException tunnel) {
      return of(asked, "", tunnel, tunnel);
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

  private static String place(TunnelException.Nested.Layer layer) {
    return switch (layer) {
      case OUTER -> "at the network gateway: ";
      case INNER -> "behind the network gateway: ";
    };
  }

  /**
   * The failure of one tunnel.
   *
   * @param place where it failed, or empty
   * @param cause what the application finds below: the failure itself, or what it is part of
   */
  private static MeshException of(
      String asked, String place, TunnelException failure, TunnelException cause) {
    if (failure instanceof TunnelException.Refused refused) {
      return refused(asked, place, refused, cause);
    }
    String decided = place + failure.getMessage();
    if (failure instanceof TunnelException.PeerRejected
        || failure.getCause() instanceof TunnelException.PeerRejected) {
      return new MeshException.PeerUntrusted(
          asked,
          decided,
          "compare the peer's SPIFFE id, both trust domains and the trust bundles",
          cause);
    }
    if (failure instanceof TunnelException.Closed) {
      return new MeshException.Closed(asked);
    }
    if (failure.getCause() instanceof IdentityException identity) {
      return identity(asked, identity);
    }
    boolean timedOut =
        failure instanceof TunnelException.ConnectFailed && failure.getCause() == null;
    return new MeshException.ConnectFailed(
        asked,
        decided,
        "check that the peer listens on its HBONE port and that no network policy blocks it",
        timedOut,
        cause);
  }

  private static MeshException refused(
      String asked, String place, TunnelException.Refused refused, TunnelException cause) {
    String decided = place + "the peer answered " + refused.status();
    return switch (refused.kind()) {
      case DENIED ->
          new MeshException.PolicyDenied(
              asked,
              place + "denied by the destination's authorization policy (" + refused.status() + ")",
              "allow this workload's identity in an authorization policy of the destination; its"
                  + " access log names the policy",
              cause);
      case UNAVAILABLE ->
          new MeshException.PeerRefused(
              asked,
              decided + ": its application cannot be reached",
              "check that the application listens on the port that the service names",
              refused.status(),
              cause);
      case BAD_REQUEST ->
          new MeshException.PeerRefused(
              asked,
              decided + ": it does not serve this address",
              "the mesh state of the two ends differs; retry when it has settled",
              refused.status(),
              cause);
      case OTHER ->
          new MeshException.PeerRefused(
              asked, decided, "look at the log of the peer", refused.status(), cause);
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
