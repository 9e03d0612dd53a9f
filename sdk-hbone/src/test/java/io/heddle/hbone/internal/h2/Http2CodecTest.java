// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.Traceparent;
import io.heddle.hbone.TunnelHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class Http2CodecTest {

  /** More than fit into HPACK's table with a traceparent each. */
  private static final int MANY = 200;

  private final Http2Codec codec = Http2Codec.client(HboneSettings.defaults());
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  private final Random random = new Random(1);

  @Test
  @DisplayName("what CONNECTs have in common is sent once, however many of them there are")
  void commonHeadersStayInTheTable() {
    int first = blockBytes(1);
    int second = blockBytes(3);

    assertThat(second).isLessThan(first - 100);
    for (int i = 0; i < MANY; i++) {
      assertThat(blockBytes(2 * i + 5)).isEqualTo(second);
    }
    channel.finishAndReleaseAll();
    codec.encoder().close();
  }

  private int blockBytes(int stream) {
    ChannelHandlerContext ctx = channel.pipeline().firstContext();
    TunnelHeaders headers =
        new TunnelHeaders(
            "k8s.cluster.name=Kubernetes,k8s.namespace.name=shop,service.name=web",
            "for=\"10.0.0.1:1\";host=web.shop.svc.cluster.local",
            Traceparent.random(random).value(),
            null);
    codec
        .encoder()
        .frameWriter()
        .writeHeaders(
            ctx,
            stream,
            ConnectHeaders.request(Authority.parse("10.0.0.5:8080"), headers),
            0,
            false,
            ctx.newPromise());
    channel.flushOutbound();
    int bytes = 0;
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      bytes += part.readableBytes();
      part.release();
    }
    return bytes;
  }
}
