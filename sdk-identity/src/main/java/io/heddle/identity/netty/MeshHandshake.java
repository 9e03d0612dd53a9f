// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.internal.tls.HandshakePin;
import io.heddle.identity.internal.x509.PeerRole;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Carries one channel from connected to trusted, then leaves the pipeline.
 *
 * <p>It puts the TLS handler in front of itself when the channel is active, so that the identity is
 * taken at that moment and none is spent on a channel that never connects. When TLS has completed,
 * it judges the peer once more: on a resumed session no engine asks its trust manager, and no
 * engine may be trusted to have asked. Until then it holds back the channel's activation, and
 * refuses writes, so nothing reaches or comes from a peer that is not accepted.
 *
 * <p>Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel's own futures: nothing follows from them.
final class MeshHandshake extends ChannelDuplexHandler {

  /** Makes the TLS handler of one role. */
  @FunctionalInterface
  interface HandlerFactory {
    SslHandler create(ByteBufAllocator allocator) throws SSLException;
  }

  /** Gives the rule for the peer, which may depend on who we are. */
  @FunctionalInterface
  interface AuthorizerChoice {
    PeerAuthorizer of(IdentitySnapshot snapshot);
  }

  private enum State {
    WAITING,
    SHAKING_HANDS,
    ACCEPTED,
    FAILED
  }

  private final MeshTls tls;
  private final HandlerFactory handlers;
  private final AuthorizerChoice authorizers;
  private final Promise<PeerSvid> peer;

  private State state = State.WAITING;
  private boolean activationHeld;
  private @Nullable HandshakePin pin;

  MeshHandshake(
      MeshTls tls, HandlerFactory handlers, AuthorizerChoice authorizers, Promise<PeerSvid> peer) {
    this.tls = tls;
    this.handlers = handlers;
    this.authorizers = authorizers;
    this.peer = peer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    if (ctx.channel().isActive()) {
      begin(ctx);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    activationHeld = true;
    if (state == State.WAITING) {
      begin(ctx);
    }
  }

  private void begin(ChannelHandlerContext ctx) {
    state = State.SHAKING_HANDS;
    try {
      IdentitySnapshot snapshot = tls.identity();
      SslHandler handler = handlers.create(ctx.alloc());
      handler.setHandshakeTimeoutMillis(tls.handshakeTimeout().toMillis());
      pin = tls.handshakes().open(handler.engine(), snapshot, authorizers.of(snapshot));
      ctx.pipeline().addBefore(ctx.name(), null, handler);
    } catch (RuntimeException | SSLException e) {
      fail(ctx, e);
      return;
    }
    if (!ctx.channel().config().isAutoRead()) {
      // Whoever reads by hand would start at the activation, which comes only after the handshake.
      ctx.read();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (state == State.SHAKING_HANDS && event instanceof SslHandshakeCompletionEvent completion) {
      if (completion.isSuccess()) {
        complete(ctx, completion);
      } else {
        fail(ctx, completion.cause());
      }
    } else if (state == State.ACCEPTED) {
      ctx.fireUserEventTriggered(event);
    }
  }

  private void complete(ChannelHandlerContext ctx, SslHandshakeCompletionEvent completion) {
    HandshakePin pinned = Objects.requireNonNull(pin, "TLS completed that was not begun here");
    PeerSvid accepted;
    try {
      accepted = judge(pinned);
    } catch (SSLException e) {
      fail(ctx, e);
      return;
    }
    state = State.ACCEPTED;
    unpin();
    ctx.channel().attr(MeshTls.PEER).set(accepted);
    ctx.channel().attr(MeshTls.OWN_CERTIFICATE).set(pinned.snapshot().svid().leaf());
    if (activationHeld) {
      ctx.fireChannelActive();
    }
    ctx.fireUserEventTriggered(completion);
    peer.trySuccess(accepted);
    if (!ctx.isRemoved()) {
      ctx.pipeline().remove(this);
    }
  }

  private PeerSvid judge(HandshakePin pinned) throws SSLException {
    SSLEngine engine = pinned.engine();
    String protocol = engine.getApplicationProtocol();
    if (!TlsEngines.ALPN.equals(protocol)) {
      throw new SSLHandshakeException(
          "the peer did not agree on ALPN "
              + TlsEngines.ALPN
              + (protocol == null || protocol.isEmpty() ? "" : ", but on " + protocol)
              + "; mesh peers speak nothing else");
    }
    try {
      return pinned
          .terms()
          .judge(engine.getSession().getPeerCertificates(), peerRole(engine), tls.validator());
    } catch (PeerRejectedException e) {
      SSLHandshakeException refused = new SSLHandshakeException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static PeerRole peerRole(SSLEngine engine) {
    return engine.getUseClientMode() ? PeerRole.SERVER : PeerRole.CLIENT;
  }

  private void fail(ChannelHandlerContext ctx, Throwable cause) {
    if (state == State.ACCEPTED || state == State.FAILED) {
      return;
    }
    state = State.FAILED;
    unpin();
    peer.tryFailure(cause);
    ctx.close();
  }

  private void unpin() {
    if (pin != null) {
      tls.handshakes().close(pin);
      pin = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (state == State.ACCEPTED) {
      ctx.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (state == State.ACCEPTED) {
      ctx.fireChannelReadComplete();
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (state == State.ACCEPTED) {
      ctx.write(message, promise);
    } else {
      ReferenceCountUtil.release(message);
      promise.tryFailure(
          new IllegalStateException("write before the peer is accepted; wait for the future"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (state == State.ACCEPTED) {
      ctx.fireExceptionCaught(cause);
    } else {
      fail(ctx, cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    boolean wasAccepted = state == State.ACCEPTED;
    fail(ctx, new ClosedChannelException());
    if (wasAccepted || !activationHeld) {
      ctx.fireChannelInactive();
    }
  }

  /** A channel that never connected, or was closed before, ends here. */
  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    fail(ctx, new ClosedChannelException());
  }
}
