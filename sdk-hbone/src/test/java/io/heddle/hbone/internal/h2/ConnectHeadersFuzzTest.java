// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heddle.hbone.Authority;
import io.heddle.hbone.internal.h2.ConnectHeaders.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any header block is undecodable, malformed, not served, or a CONNECT that can be sent again. */
class ConnectHeadersFuzzTest {

  static Stream<byte[]> kept() {
    return Choices.kept("/hbone/fuzz/header-blocks.txt");
  }

  @MethodSource("kept")
  @FuzzTest
  void read(byte[] block) {
    Http2Headers headers = decode(block);
    if (headers == null) {
      return;
    }
    Request request = ConnectHeaders.read(headers);
    if (request instanceof Request.Connect connect) {
      Http2Headers again = ConnectHeaders.request(connect.authority(), connect.headers());
      assertThat(ConnectHeaders.read(again)).isEqualTo(connect);
      assertThat(headers.scheme()).isNull();
      assertThat(headers.path()).isNull();
      assertThat(headers.status()).isNull();
      assertThat(headers.getAll(":authority")).hasSize(1);
      assertThat(Authority.parse(headers.authority().toString())).isEqualTo(connect.authority());
    } else if (request instanceof Request.Unserved unserved) {
      assertThat(unserved.status()).isEqualTo(400);
    }
  }

  private static Http2Headers decode(byte[] block) {
    ByteBuf buffer = Unpooled.wrappedBuffer(block);
    try {
      return new DefaultHttp2HeadersDecoder(true, 8_192, -1).decodeHeaders(1, buffer);
    } catch (Http2Exception undecodable) {
      return null;
    } finally {
      buffer.release();
    }
  }
}
