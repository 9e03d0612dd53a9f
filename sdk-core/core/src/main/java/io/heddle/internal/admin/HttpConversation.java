// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request, one answer, end of connection. Event loop only, but for the making of a page. */
final class HttpConversation extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger LOG = LoggerFactory.getLogger(HttpConversation.class);

  private final Pages pages;
  private final Executor worker;
  private boolean asked;

  HttpConversation(Pages pages, Executor worker) {
    this.pages = pages;
    this.worker = worker;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (asked) {
      // Pipelined: the first answer ends the connection.
      return;
    }
    asked = true;
    // It now waits for us.
    ctx.pipeline().remove(ReadTimeoutHandler.class);
    if (request.decoderResult().isFailure()) {
      answer(ctx, Answer.text(400, "not a request of HTTP/1.1\n"));
      return;
    }
    Question question;
    try {
      question = Question.of(request);
    } catch (IllegalArgumentException unreadableTarget) {
      answer(ctx, Answer.text(400, "the request's target cannot be read\n"));
      return;
    }
    try {
      worker.execute(() -> answer(ctx, page(question)));
    } catch (RejectedExecutionException e) {
      answer(ctx, Answer.text(503, "too many pages are asked for at once\n"));
    }
  }

  private Answer page(Question question) {
    try {
      return pages.answer(question);
    } catch (RuntimeException e) {
      LOG.warn("page {} could not be made", question.path(), e);
      return Answer.text(500, "the page could not be made; the log says why\n");
    }
  }

  private static void answer(ChannelHandlerContext ctx, Answer answer) {
    ByteBuf body = Unpooled.wrappedBuffer(answer.body().getBytes(StandardCharsets.UTF_8));
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set("x-content-type-options", "nosniff");
    ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("a client of {} is gone", ctx.channel().localAddress(), cause);
    ctx.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
