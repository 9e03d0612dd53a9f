// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.NestedTarget;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.Decision;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.BaggageText;
import io.heddle.internal.telemetry.ConnectionFacts;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.heddle.internal.telemetry.ObservedConnection;
import io.heddle.internal.telemetry.ResponseFlag;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** One decision being carried out: dial or tunnel, under observation, with one result. */
final class Opening {

  /** What all openings of a workload share. */
  record Context(
      HboneClient client,
      ConnectionObserver observer,
      SpiffeId identity,
      BaggageText baggage,
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

  private void fail(Throwable cause) {
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
      tunnelThroughGateway(to);
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
          PlainDialer.dial(loop, address, observed, handler)
              .addListener(
                  (Future<DuplexChannel> done) -> {
                    if (!done.isSuccess()) {
                      String message = String.valueOf(done.cause().getMessage());
                      observed.failed(ResponseFlag.CONNECT, message);
                      result.tryFailure(done.cause());
                    } else if (!result.trySuccess(done.getNow())) {
                      abandon(done.getNow());
                    }
                  });
        });
  }

  private void tunnel(Decision.Hbone to) {
    List<TunnelTarget> targets = new Targets(source, context.baggage()).of(to);
    if (targets.size() > 1) {
      tunnelToAnyPlace(to, targets);
      return;
    }
    onLoop(
        () -> {
          ObservedConnection observed =
              context.observer().open(OutboundFacts.of(source, context.identity(), to));
          context
              .client()
              .open(targets.get(0), under(observed), loop)
              .addListener((Future<Tunnel> done) -> opened(done, observed, to.viaWaypoint()));
        });
  }

  /** Which of the places it is turns out by the answer, so that observation begins there. */
  private void tunnelToAnyPlace(Decision.Hbone to, List<TunnelTarget> targets) {
    observedLate(
        observing -> context.client().openFirst(targets, observing, loop),
        tunnel -> OutboundFacts.of(source, context.identity(), reached(to, tunnel)),
        () -> OutboundFacts.of(source, context.identity(), to),
        to.viaWaypoint());
  }

  private static Decision.Hbone reached(Decision.Hbone to, Tunnel tunnel) {
    return to.at((InetSocketAddress) tunnel.remoteAddress(), tunnel.authority());
  }

  private void opened(Future<Tunnel> done, ObservedConnection observed, boolean viaWaypoint) {
    if (done.isSuccess()) {
      opened(done.getNow(), viaWaypoint);
    } else {
      failed(done.cause(), observed);
    }
  }

  private void failed(Throwable cause, ObservedConnection observed) {
    observed.failed(ResponseFlags.of(cause), String.valueOf(cause.getMessage()));
    result.tryFailure(cause);
  }

  /** Behind a gateway the destination is known only by its answer (HBONE reference 1.11). */
  private void tunnelThroughGateway(Decision.DoubleHbone to) {
    NestedTarget target = new Targets(source, context.baggage()).of(to);
    observedLate(
        observing -> context.client().openThrough(target, observing, loop),
        tunnel -> OutboundFacts.ofAnswer(source, context.identity(), to, tunnel),
        () -> OutboundFacts.of(source, context.identity(), to),
        to.viaWaypoint());
  }

  /**
   * Opens a tunnel whose facts are known only when it is open.
   *
   * @param open opens it with a handler that observes it
   * @param facts what is known of it once it is open
   * @param failedFacts what is known of it if it never is
   */
  private void observedLate(
      Function<ChannelHandler, Future<Tunnel>> open,
      Function<Tunnel, ConnectionFacts> facts,
      Supplier<ConnectionFacts> failedFacts,
      boolean viaWaypoint) {
    long begun = context.observer().now();
    ChannelHandler observing =
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            ObservedConnection observed =
                context.observer().open(facts.apply((Tunnel) channel), begun);
            channel.pipeline().addLast(observed, handler);
          }
        };
    onLoop(
        () ->
            open.apply(observing)
                .addListener(
                    (Future<Tunnel> done) -> {
                      if (done.isSuccess()) {
                        opened(done.getNow(), viaWaypoint);
                      } else {
                        failed(done.cause(), context.observer().open(failedFacts.get(), begun));
                      }
                    }));
  }

  private void opened(Tunnel tunnel, boolean viaWaypoint) {
    if (viaWaypoint) {
      tunnel.attr(context.viaWaypoint()).set(true);
    }
    if (!result.trySuccess(tunnel)) {
      abandon(tunnel);
    }
  }

  /** The application gave up while the channel was made. */
  static void abandon(Channel channel) {
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
}
