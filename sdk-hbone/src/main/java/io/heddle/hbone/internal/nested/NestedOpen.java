// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.nested;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Nested.Layer;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.netty.NestedTarget;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

/**
 * One open of a tunnel through a gateway (HBONE reference 1.11): an outer tunnel from the pool, in
 * it TLS and HTTP/2 for this one tunnel, and in that the inner CONNECT.
 *
 * <p>The inner connection is not shared, so that the gateway balances every tunnel. Whatever ends
 * one of the layers ends the others.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails shows in the promise or in the tunnel.
public final class NestedOpen {

  private final ClientConnector connector;
  private final NestedTarget target;
  private final ChannelHandler initializer;
  private final Promise<Tunnel> promise;

  /** Opens outer tunnels. */
  @FunctionalInterface
  public interface Outer {
    /** Opens one; the handler is in its pipeline before it becomes active. */
    Future<Tunnel> open(ChannelHandler handler);
  }

  private NestedOpen(
      ClientConnector connector,
      NestedTarget target,
      ChannelHandler initializer,
      EventLoop preferred) {
    this.connector = connector;
    this.target = target;
    this.initializer = initializer;
    this.promise = preferred.newPromise();
  }

  /** Opens a tunnel; the future is notified on {@code preferred}. */
  public static Future<Tunnel> open(
      ClientConnector connector,
      NestedTarget target,
      ChannelHandler initializer,
      EventLoop preferred,
      Outer outer) {
    NestedOpen open = new NestedOpen(connector, target, initializer, preferred);
    Future<Tunnel> opening = outer.open(open.new Entrance());
    opening.addListener(
        done -> {
          if (!done.isSuccess()) {
            open.fail(Layer.OUTER, done.cause());
          }
        });
    open.cancelsWith(opening);
    return open.promise;
  }

  /** Who gives up takes back what was asked of the peers, as far as it got. */
  private void cancelsWith(Future<?> step) {
    promise.addListener(
        done -> {
          if (done.isCancelled()) {
            step.cancel(false);
          }
        });
  }

  private void secure(Channel outer) {
    TunnelTarget inner =
        new TunnelTarget(
            target.gateway().address(),
            target.expectedIdentities(),
            null,
            target.gateway().authority(),
            target.innerHeaders());
    Future<ClientConnection> connecting = connector.connectOver(outer, inner);
    // Below TLS, so that its last words pass before the end.
    outer.pipeline().addFirst(new OuterEnd());
    connecting.addListener(
        (Future<ClientConnection> connected) -> {
          if (connected.isSuccess()) {
            ask(connected.getNow());
          } else {
            fail(Layer.INNER, connected.cause());
          }
        });
    promise.addListener(
        done -> {
          if (!done.isSuccess()) {
            outer.close();
          }
        });
  }

  private void ask(ClientConnection inner) {
    Future<Tunnel> asked =
        inner.open(target.gateway().authority(), target.innerHeaders(), initializer);
    inner.closeWhenIdle();
    asked.addListener(
        (Future<Tunnel> answered) -> {
          if (!answered.isSuccess()) {
            fail(Layer.INNER, answered.cause());
          } else if (!promise.trySuccess(answered.getNow())) {
            answered.getNow().reset();
          }
        });
    cancelsWith(asked);
  }

  private void fail(Layer layer, Throwable cause) {
    if (cause instanceof TunnelException.Closed || !(cause instanceof TunnelException failure)) {
      promise.tryFailure(cause);
      return;
    }
    promise.tryFailure(
        new TunnelException.Nested(
            layer, target.gateway().authority(), target.gateway().address(), failure));
  }

  /** First in the outer tunnel: as soon as that is open, the inner connection begins. */
  private final class Entrance extends ChannelInboundHandlerAdapter {

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Channel outer = ctx.channel();
      // Half a connection below TLS is none.
      outer.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
      secure(outer);
      ctx.pipeline().remove(this);
    }
  }
}
