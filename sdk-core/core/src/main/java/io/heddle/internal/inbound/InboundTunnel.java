// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.netty.ProxyProtocol;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.relay.ChannelReset;
import io.heddle.internal.relay.Relay;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ObservedConnection;
import io.heddle.internal.telemetry.ResponseFlag;
import io.heddle.internal.telemetry.WorkloadParty;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
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

  private final TunnelTerminator terminator;
  private final TunnelRequest request;
  private final Resolved target;
  private final ConnectionJudge judge;
  private final AdmittedPeer peer;
  private final ObservedConnection observed;
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
    this.request = request;
    this.target = target;
    this.judge = new ConnectionJudge(terminator::mesh, terminator::own, own, request, target);
    this.peer =
        new AdmittedPeer(request.peer(), Waypoints.speaksFor(mesh, own, request.peer().id()));
    this.observed =
        terminator
            .observer()
            .open(InboundFacts.of(mesh, own, terminator.identity(), request, target));
  }

  void start() {
    terminator.table().register(this);
    judge();
  }

  @Override
  public void policiesChanged() {
    request.eventLoop().execute(this::judge);
  }

  private void judge() {
    if (stage == Stage.ENDED) {
      return;
    }
    Verdict verdict = judge.verdict();
    verdict.dryRunNotes().forEach(note -> LOG.info("{} -> {}: {}", peer.svid().id(), target, note));
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
          request
              .eventLoop()
              .schedule(
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
      end();
      request.refuse(DENIED);
    } else {
      observed.cut(ResponseFlag.DENY, "policy change: " + reason);
      end();
      reset(open);
    }
  }

  private void deliver() {
    Delivery delivery = terminator.delivery(target);
    if (delivery instanceof Delivery.InProcess inProcess) {
      accept(inProcess.applications().forPeer(peer));
    } else if (delivery instanceof Delivery.ByTcp byTcp) {
      dial(byTcp.address());
    }
  }

  private void dial(InetSocketAddress address) {
    stage = Stage.DIALLING;
    terminator
        .dialer()
        .dial(request.eventLoop(), address, peer)
        .addListener((Future<DuplexChannel> dialled) -> dialled(dialled, address));
  }

  private void dialled(Future<DuplexChannel> dialled, InetSocketAddress address) {
    if (!dialled.isSuccess()) {
      if (stage == Stage.DIALLING) {
        observed.failed(
            ResponseFlag.CONNECT,
            "cannot reach the application at " + address + ": " + dialled.cause().getMessage());
        end();
        request.refuse(UNAVAILABLE);
      }
      return;
    }
    DuplexChannel application = dialled.getNow();
    if (stage != Stage.DIALLING || request.cancelled().isDone()) {
      observed.end();
      end();
      application.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      return;
    }
    Tunnel accepted = accept(null);
    announce(application);
    Relay.couple(accepted, this::resetByApplication, application, ChannelReset.ofTcp());
  }

  /** After the 200 and before the first byte of the tunnel (HBONE reference 1.12). */
  private void announce(Channel application) {
    InetSocketAddress destination = target.proxied();
    if (destination != null) {
      ProxyProtocol.writeHeader(
              application, request.remoteAddress(), destination, request.peer().id())
          .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  private Tunnel accept(@Nullable ChannelHandler application) {
    stage = Stage.OPEN;
    Tunnel accepted =
        request.accept(
            WorkloadParty.baggage(judge.own()).encode(),
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
