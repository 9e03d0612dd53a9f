// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Phase;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.netty.PeerAlert;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The making of one client connection, after its channel is open. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class ConnectAttempt {
  private final TransportSecurity security;
  private final Environment environment;
  private final TunnelTarget target;
  private final EventLoop loop;
  private final Promise<ClientConnection> promise;
  private @Nullable Future<?> deadline;

  ConnectAttempt(
      TransportSecurity security, Environment environment, TunnelTarget target, EventLoop loop) {
    this.security = security;
    this.environment = environment;
    this.target = target;
    this.loop = loop;
    this.promise = loop.newPromise();
  }

  Future<ClientConnection> future() {
    return promise;
  }

  void secure(Channel channel) {
    promise.addListener(
        done -> {
          if (!done.isSuccess()) {
            channel.close();
          }
        });
    if (promise.isDone()) {
      return;
    }
    HandshakeGate gate = new HandshakeGate();
    channel.pipeline().addLast("gate", gate);
    ChannelHandlerContext context = channel.pipeline().context(gate);
    begin(Phase.TLS, environment.settings().tlsTimeout());
    security
        .secureClient(channel.pipeline(), target.expectedIdentities())
        .addListener(
            (Future<PeerSvid> secured) -> {
              if (secured.isSuccess()) {
                startHttp2(context, secured.getNow());
              } else {
                failSecure(Phase.TLS, secured.cause());
              }
            });
  }

  private void startHttp2(ChannelHandlerContext gate, PeerSvid peer) {
    if (promise.isDone() || gate.isRemoved()) {
      return;
    }
    begin(Phase.SETTINGS, environment.settings().settingsTimeout());
    ClientTunnels connection =
        new ClientTunnels(environment, peer, target.address().toString(), loop);
    connection
        .settled()
        .addListener(
            settled -> {
              if (settled.isSuccess()) {
                finish(connection);
              } else {
                failSecure(Phase.SETTINGS, settled.cause());
              }
            });
    HandshakeGate.open(gate, connection);
  }

  private void finish(ClientTunnels connection) {
    cancelDeadline();
    if (!promise.trySuccess(connection)) {
      connection.closeNow();
    }
  }

  private void begin(Phase phase, Duration limit) {
    cancelDeadline();
    deadline =
        loop.schedule(
            () -> fail(phase, "within " + limit, null), limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  /** In TLS 1.3 a server refuses our certificate only after our side of the handshake is done. */
  private void failSecure(Phase phase, Throwable cause) {
    PeerRejectedException rejection = rejection(cause);
    Optional<PeerAlert> alert = PeerAlert.in(cause);
    if (rejection != null) {
      reject(": " + rejection.getMessage(), cause);
    } else if (alert.isPresent() && alert.get().rejectsCertificate()) {
      reject(", which does not accept our certificate: " + alert.get().description(), cause);
    } else {
      fail(phase, "", cause);
    }
  }

  private void reject(String why, Throwable cause) {
    cancelDeadline();
    promise.tryFailure(
        new TunnelException.PeerRejected(
            "no connection to "
                + target.address()
                + " expected to be one of "
                + target.expectedIdentities()
                + why,
            cause));
  }

  void fail(Phase phase, String why, @Nullable Throwable cause) {
    cancelDeadline();
    if (promise.isDone()) {
      return;
    }
    promise.tryFailure(
        new TunnelException.ConnectFailed(
            phase,
            "no connection to "
                + target.address()
                + ": "
                + phase
                + " did not succeed "
                + why
                + (cause == null ? "" : ": " + cause.getMessage()),
            cause));
  }

  private static @Nullable PeerRejectedException rejection(Throwable from) {
    for (Throwable cause = from; cause != null; cause = cause.getCause()) {
      if (cause instanceof PeerRejectedException rejection) {
        return rejection;
      }
    }
    return null;
  }
}
