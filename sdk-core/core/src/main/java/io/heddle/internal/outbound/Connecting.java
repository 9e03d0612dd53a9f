// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.TunnelException;
import io.heddle.identity.IdentityException;
import io.heddle.internal.route.Decision;
import io.heddle.internal.route.EndpointStandings;
import io.heddle.internal.route.Refusal;
import io.heddle.internal.route.RouteRequest;
import io.heddle.internal.route.Router;
import io.heddle.internal.state.Workload;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection that an application wants, through as many attempts as it takes and may take. Each
 * attempt is one decision of the router, and is observed for itself. No attempt follows one that
 * has sent a byte: an attempt has failed only as long as the application had no channel.
 */
final class Connecting {

  private static final Logger LOG = LoggerFactory.getLogger(Connecting.class);

  /** What all connections of a workload share. */
  record Context(
      Router router,
      EndpointStandings standings,
      HostLookup lookup,
      Opening.Context opening,
      LongAdder retries) {}

  private final Context context;
  private final RouteRequest request;
  private final ChannelHandler handler;
  private final EventLoop loop;
  private final Promise<DuplexChannel> result;
  private final Set<String> tried = new HashSet<>();

  Connecting(
      Context context,
      RouteRequest request,
      ChannelHandler handler,
      EventLoop loop,
      Promise<DuplexChannel> result) {
    this.context = context;
    this.request = request;
    this.handler = handler;
    this.loop = loop;
    this.result = result;
  }

  void start() {
    decide(context.router().route(request), null);
  }

  /**
   * Carries a decision out, once it is one.
   *
   * @param failure of the attempt before, or null
   */
  private void decide(Decision decision, @Nullable Throwable failure) {
    if (decision instanceof Decision.Resolve resolve) {
      resolve(resolve, failure);
      return;
    }
    String endpoint = decision.endpoint();
    boolean another = endpoint != null && tried.add(endpoint);
    if (failure != null && !another) {
      result.tryFailure(failure);
      return;
    }
    if (failure != null) {
      context.retries().increment();
      LOG.info(
          "{}: trying {} now, because an endpoint failed: {}",
          request.destination(),
          endpoint,
          failure.getMessage());
    }
    attempt(decision, endpoint);
  }

  private void attempt(Decision decision, @Nullable String endpoint) {
    Promise<DuplexChannel> outcome = OutboundConnector.newPromise();
    EndpointStandings.Attempt standing =
        endpoint == null ? null : context.standings().begin(endpoint);
    outcome.addListener(
        (Future<DuplexChannel> done) -> {
          if (done.isSuccess()) {
            succeeded(done.getNow(), standing);
          } else {
            failed(done.cause(), standing);
          }
        });
    new Opening(context.opening(), request.source(), handler, loop, outcome).carryOut(decision);
  }

  private void succeeded(DuplexChannel channel, EndpointStandings.@Nullable Attempt standing) {
    if (standing != null) {
      standing.succeeded();
      channel.closeFuture().addListener(closed -> standing.ended());
    }
    if (!result.trySuccess(channel)) {
      Opening.abandon(channel);
    }
  }

  private void failed(Throwable cause, EndpointStandings.@Nullable Attempt standing) {
    boolean elsewhere = standing != null && mayBeBetterElsewhere(cause);
    if (standing != null && elsewhere) {
      standing.unreachable();
    } else if (standing != null) {
      standing.ended();
    }
    if (elsewhere
        && !result.isDone()
        && tried.size() < context.standings().balancing().attempts()) {
      decide(context.router().route(request.avoiding(Set.copyOf(tried))), cause);
    } else {
      result.tryFailure(cause);
    }
  }

  /** Not what this workload, its policies or its certificate are to blame for. */
  private static boolean mayBeBetterElsewhere(Throwable cause) {
    if (cause instanceof TunnelException.Nested nested) {
      // Behind the gateway the gateway chooses, at every attempt anew.
      return nested.layer() == TunnelException.Nested.Layer.OUTER
          && mayBeBetterElsewhere(nested.failure());
    }
    if (cause.getCause() instanceof IdentityException) {
      return false;
    }
    if (cause instanceof TunnelException.Refused refused) {
      return refused.kind() == TunnelException.Refused.Kind.UNAVAILABLE;
    }
    if (cause instanceof TunnelException tunnel) {
      return tunnel.retryable() || tunnel instanceof TunnelException.PeerRejected;
    }
    return cause instanceof IOException && !(cause instanceof RouteRefusedException);
  }

  private void resolve(Decision.Resolve resolve, @Nullable Throwable failure) {
    Workload workload = resolve.workload();
    if (workload != null) {
      context
          .opening()
          .observer()
          .onDemandDns(request.source(), context.opening().identity(), resolve.hostname());
    }
    try {
      context
          .lookup()
          .addresses(resolve.hostname(), loop)
          .addListener(
              (Future<List<InetAddress>> found) -> {
                if (found.isSuccess()) {
                  InetAddress address = resolve.choose(found.getNow(), request.random());
                  decide(resolve.at(address), failure);
                } else if (workload == null || found.cause() instanceof TunnelException) {
                  result.tryFailure(found.cause());
                } else {
                  attempt(unresolved(workload, found.cause()), null);
                }
              });
    } catch (RejectedExecutionException e) {
      result.tryFailure(new TunnelException.Closed("this mesh is closed"));
    }
  }

  private Decision unresolved(Workload workload, Throwable cause) {
    return new Decision.Refused(
        Refusal.UNRESOLVED_HOSTNAME,
        request.destination(),
        workload.uid() + ", " + workload.hostname() + ": " + cause.getMessage());
  }
}
