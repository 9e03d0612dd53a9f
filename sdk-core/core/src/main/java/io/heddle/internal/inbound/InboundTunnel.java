// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.netty.ProxyProtocol;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.relay.ChannelReset;
import io.heddle.internal.relay.Relay;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ObservedConnection;
import io.heddle.internal.telemetry.ResponseFlag;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One CONNECT from its verdict to its end. Confined to the event loop of its connection. */
final class InboundTunnel implements ConnectionTable.Entry {

  private static final Logger LOG = LoggerFactory.getLogger(InboundTunnel.class);

  private static final int DENIED = 401;
  private static final int UNAVAILABLE = 503;

  /** Where a tunnel is between CONNECT and its end. */
  private enum Stage {
    /** A policy that the workload names has not arrived; no verdict yet. */
    HELD,
    /** Admitted; the application is being dialled. */
    DIALLING,
    /** Bytes flow. */
    OPEN,
    /** Refused, cut or closed. */
    ENDED
  }

  /** What was asked for, by whom. */
  private record Question(TunnelRequest request, Resolved target, AdmittedPeer peer) {}

  private final TunnelTerminator terminator;
  private final EventLoop loop;
  private final ConnectionJudge judge;
  private final ObservedConnection observed;

  /** Until it has its answer: an open tunnel, which may live long, has no more use for it. */
  private @Nullable Question question;

  private Stage stage = Stage.HELD;
  private @Nullable ScheduledFuture<?> hold;
  private @Nullable Tunnel tunnel;

  InboundTunnel(
      TunnelTerminator terminator,
      TunnelRequest request,
      MeshSnapshot mesh,
      Workload own,
      Resolved target) {
    this.terminator = terminator;
    this.loop = request.eventLoop();
    this.judge = new ConnectionJudge(terminator, own, attributes(request, target));
    AdmittedPeer peer =
        new AdmittedPeer(request.peer(), Waypoints.speaksFor(mesh, own, request.peer().id()));
    this.question = new Question(request, target, peer);
    this.observed =
        terminator
            .observer()
            .open(InboundFacts.of(mesh, own, terminator.identity(), request, target));
  }

  private static ConnectionAttributes attributes(TunnelRequest request, Resolved target) {
    return new ConnectionAttributes(
        request.remoteAddress().getAddress(), request.peer().id(), target.address(), target.port());
  }

  void start() {
    terminator.table().register(this);
    judge();
  }

  @Override
  public void policiesChanged() {
    loop.execute(this::judge);
  }

  private void judge() {
    if (stage == Stage.ENDED) {
      return;
    }
    Verdict verdict = judge.verdict();
    verdict.dryRunNotes().forEach(note -> LOG.info("{}: {}", judge.attributes(), note));
    if (verdict instanceof Verdict.Denied denied) {
      if (denied.isProvisional() && stage == Stage.HELD) {
        holdOn(denied);
      } else {
        deny(denied.message());
      }
    } else if (stage == Stage.HELD) {
      release();
      deliver();
    }
  }

  private void holdOn(Verdict.Denied denied) {
    if (hold == null) {
      hold =
          loop.schedule(
              () -> {
                if (stage == Stage.HELD) {
                  deny(denied.message());
                }
              },
              terminator.policyHold().toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  private void release() {
    if (hold != null) {
      hold.cancel(false);
      hold = null;
    }
  }

  private void deny(String reason) {
    release();
    String message = "policy rejection: " + reason;
    Tunnel open = tunnel;
    if (open == null) {
      observed.failed(ResponseFlag.DENY, message);
      refuse(DENIED);
    } else {
      observed.cut(ResponseFlag.DENY, "policy change: " + reason);
      end();
      reset(open);
    }
  }

  private void refuse(int status) {
    Question refused = takeQuestion();
    end();
    refused.request().refuse(status);
  }

  private Question takeQuestion() {
    Question asked = Objects.requireNonNull(question, "answered already");
    question = null;
    return asked;
  }

  private void deliver() {
    Question admitted = takeQuestion();
    Delivery delivery = terminator.delivery(admitted.target());
    if (delivery instanceof Delivery.InProcess inProcess) {
      accept(admitted.request(), inProcess.applications().forPeer(admitted.peer()));
    } else if (delivery instanceof Delivery.ByTcp byTcp) {
      question = admitted;
      dial(byTcp.address(), admitted);
    }
  }

  private void dial(InetSocketAddress address, Question admitted) {
    stage = Stage.DIALLING;
    terminator
        .dialer()
        .dial(loop, address, admitted.peer())
        .addListener((Future<DuplexChannel> dialled) -> dialled(dialled, address, admitted));
  }

  private void dialled(
      Future<DuplexChannel> dialled, InetSocketAddress address, Question admitted) {
    if (!dialled.isSuccess()) {
      if (stage == Stage.DIALLING) {
        observed.failed(
            ResponseFlag.CONNECT,
            "cannot reach the application at " + address + ": " + dialled.cause().getMessage());
        refuse(UNAVAILABLE);
      }
      return;
    }
    DuplexChannel application = dialled.getNow();
    if (stage != Stage.DIALLING || admitted.request().cancelled().isDone()) {
      observed.end();
      end();
      application.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      return;
    }
    question = null;
    Tunnel accepted = accept(admitted.request(), null);
    announce(application, admitted);
    Relay.couple(accepted, this::resetByApplication, application, ChannelReset.ofTcp());
  }

  /** After the 200 and before the first byte of the tunnel (HBONE reference 1.12). */
  private static void announce(Channel application, Question admitted) {
    InetSocketAddress destination = admitted.target().proxied();
    if (destination != null) {
      TunnelRequest request = admitted.request();
      ProxyProtocol.writeHeader(
              application, request.remoteAddress(), destination, request.peer().id())
          .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  private Tunnel accept(TunnelRequest request, @Nullable ChannelHandler application) {
    stage = Stage.OPEN;
    Tunnel accepted =
        request.accept(
            terminator.baggage().of(judge.own()),
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(observed);
                if (application == null) {
                  // The relay asks for bytes when the other side can take them.
                  channel.config().setAutoRead(false);
                } else {
                  channel.pipeline().addLast(application);
                }
              }
            });
    tunnel = accepted;
    accepted.closeFuture().addListener(closed -> end());
    return accepted;
  }

  /** What the relay does when the application's end failed. */
  private void resetByApplication(DuplexChannel channel) {
    observed.cut(ResponseFlag.CONNECT, "the application reset the connection");
    reset((Tunnel) channel);
  }

  private static void reset(Tunnel tunnel) {
    tunnel.reset().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  private void end() {
    stage = Stage.ENDED;
    terminator.table().release(this);
  }
}
