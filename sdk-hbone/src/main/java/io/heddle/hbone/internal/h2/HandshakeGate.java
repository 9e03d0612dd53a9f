// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands behind TLS until the peer is known, and keeps what arrives early: no byte reaches HTTP/2
 * before the peer's identity is checked, and none is lost.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class HandshakeGate extends ChannelInboundHandlerAdapter {
  private static final Logger logger = LoggerFactory.getLogger(HandshakeGate.class);

  private final ArrayDeque<Object> held = new ArrayDeque<>(2);

  /** Puts the HTTP/2 handler in place of the gate, and lets everything through to it. */
  static void open(ChannelHandlerContext gate, TunnelConnection http2) {
    HandshakeGate self = (HandshakeGate) gate.handler();
    gate.pipeline().addAfter(gate.name(), "records", http2.records());
    gate.pipeline().addAfter("records", "http2", http2);
    Object message = self.held.poll();
    boolean any = message != null;
    while (message != null) {
      gate.fireChannelRead(message);
      message = self.held.poll();
    }
    if (any) {
      gate.fireChannelReadComplete();
    }
    gate.pipeline().remove(self);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ByteBuf) {
      held.add(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    for (Object message = held.poll(); message != null; message = held.poll()) {
      ReferenceCountUtil.release(message);
    }
  }

  /** The future of the handshake tells the failure; here it would only be told twice. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    logger.debug("{} before the peer was known", ctx.channel(), cause);
    ctx.close();
  }
}
