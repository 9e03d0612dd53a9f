// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Forwarded;
import io.heddle.hbone.Traceparent;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.IdentityException;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.Decision;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ConnectionFacts;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.heddle.internal.telemetry.ObservedConnection;
import io.heddle.internal.telemetry.ResponseFlag;
import io.heddle.internal.telemetry.WorkloadParty;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One decision being carried out: dial or tunnel, under observation, with one result. */
final class Opening {

  /** Nobody reads it, and no socket of the application stands behind a tunnel to have a port. */
  private static final int NO_SOURCE_PORT = 1;

  /** What all openings of a workload share. */
  record Context(
      HboneClient client,
      ConnectionObserver observer,
      SpiffeId identity,
      AttributeKey<Boolean> viaWaypoint) {}

  private final Context context;
  private final Workload source;
  private final ChannelHandler handler;
  private final EventLoop loop;
  private final Promise<DuplexChannel> result;

  Opening(
      Context context,
      Workload source,
      ChannelHandler handler,
      EventLoop loop,
      Promise<DuplexChannel> result) {
    this.context = context;
    this.source = source;
    this.handler = handler;
    this.loop = loop;
    this.result = result;
  }

  void fail(Throwable cause) {
    result.tryFailure(cause);
  }

  void carryOut(Decision decision) {
    if (decision instanceof Decision.Passthrough to) {
      dial(to.address(), OutboundFacts.of(source, context.identity(), to));
    } else if (decision instanceof Decision.Plain to) {
      dial(to.address(), OutboundFacts.of(source, context.identity(), to));
    } else if (decision instanceof Decision.Hbone to) {
      tunnel(to);
    } else if (decision instanceof Decision.DoubleHbone to) {
      fail(
          new RouteRefusedException(
              to.authority() + " is on another network, behind " + to.gatewayAddress(),
              "tunnels through network gateways are not served yet; use an endpoint of this"
                  + " network"));
    } else if (decision instanceof Decision.Refused refused) {
      context
          .observer()
          .rejectedOutbound(
              context.identity().toString(), refused.destination().toString(), refused.message());
      String found = refused.detail().isEmpty() ? "" : " (" + refused.detail() + ")";
      fail(
          new RouteRefusedException(refused.reason().summary() + found, refused.reason().advice()));
    } else {
      throw new IllegalStateException("undecided: " + decision);
    }
  }

  /** Observation is confined to the event loop, so that everything begins there. */
  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      fail(new TunnelException.Closed("this mesh is closed"));
    }
  }

  private void dial(InetSocketAddress address, ConnectionFacts facts) {
    onLoop(
        () -> {
          ObservedConnection observed = context.observer().open(facts);
          ChannelFuture dialled = PlainDialer.dial(loop, address, under(observed));
          dialled.addListener(
              done -> {
                if (!done.isSuccess()) {
                  observed.failed(ResponseFlag.CONNECT, String.valueOf(done.cause().getMessage()));
                  result.tryFailure(done.cause());
                } else if (!result.trySuccess((DuplexChannel) dialled.channel())) {
                  abandon(dialled.channel());
                }
              });
        });
  }

  private void tunnel(Decision.Hbone to) {
    onLoop(
        () -> {
          ObservedConnection observed =
              context.observer().open(OutboundFacts.of(source, context.identity(), to));
          TunnelTarget target =
              new TunnelTarget(
                  to.address(),
                  to.expectedIdentities(),
                  sourceAddress(to.address().getAddress()),
                  to.authority(),
                  headers(to.service()));
          context
              .client()
              .open(target, under(observed), loop)
              .addListener((Future<Tunnel> done) -> opened(done, observed, to.viaWaypoint()));
        });
  }

  private void opened(Future<Tunnel> done, ObservedConnection observed, boolean viaWaypoint) {
    if (!done.isSuccess()) {
      observed.failed(flagOf(done.cause()), String.valueOf(done.cause().getMessage()));
      result.tryFailure(done.cause());
      return;
    }
    Tunnel tunnel = done.getNow();
    tunnel.attr(context.viaWaypoint()).set(viaWaypoint);
    if (!result.trySuccess(tunnel)) {
      abandon(tunnel);
    }
  }

  /** The application gave up while the channel was made. */
  private static void abandon(Channel channel) {
    channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  /** Observation first, so that it sees what the wire sees. */
  private ChannelHandler under(ObservedConnection observed) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(observed, handler);
      }
    };
  }

  private TunnelHeaders headers(@Nullable Service service) {
    InetAddress from = sourceAddress(null);
    String forwarded =
        from == null
            ? null
            : new Forwarded(from, NO_SOURCE_PORT, service == null ? null : service.hostname())
                .encode();
    return new TunnelHeaders(
        WorkloadParty.baggage(source).encode(),
        forwarded,
        Traceparent.random(ThreadLocalRandom.current()).value(),
        null);
  }

  /** The own address of the peer's family, so that policies on addresses see this workload. */
  private @Nullable InetAddress sourceAddress(@Nullable InetAddress peer) {
    List<InetAddress> addresses = source.addresses();
    for (InetAddress address : addresses) {
      if (peer == null || address.getClass() == peer.getClass()) {
        return address;
      }
    }
    return null;
  }

  private static ResponseFlag flagOf(Throwable cause) {
    if (cause instanceof TunnelException.Refused refused) {
      return refused.kind() == TunnelException.Refused.Kind.DENIED
          ? ResponseFlag.DENY
          : ResponseFlag.CONNECT;
    }
    if (cause.getCause() instanceof IdentityException) {
      return ResponseFlag.IDENTITY_ERROR;
    }
    if (cause instanceof TunnelException.PeerRejected) {
      return ResponseFlag.TLS_FAILURE;
    }
    return cause instanceof TunnelException.ConnectFailed failed
            && failed.phase() == TunnelException.Phase.TCP
            && failed.getCause() == null
        ? ResponseFlag.NETWORK_POLICY
        : ResponseFlag.CONNECT;
  }
}
