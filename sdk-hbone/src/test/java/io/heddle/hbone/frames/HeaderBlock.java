// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Header fields to HPACK and back. One decoder belongs to one connection: it has a table. */
final class HeaderBlock {

  private static final int LIMIT = 1 << 20;

  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, LIMIT);

  /** RFC 7541 section 6.2.2 (literal without indexing, new name), no Huffman code. */
  static byte[] encode(String... namesAndValues) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.write(0);
      string(out, namesAndValues[i]);
      string(out, namesAndValues[i + 1]);
    }
    return out.toByteArray();
  }

  /** The fields in order; of a field that comes twice, the last. */
  Map<String, String> decode(int streamId, byte[] block) {
    ByteBuf buffer = Unpooled.wrappedBuffer(block);
    try {
      Map<String, String> fields = new LinkedHashMap<>();
      decoder
          .decodeHeaders(streamId, buffer)
          .forEach(e -> fields.put(e.getKey().toString(), e.getValue().toString()));
      return fields;
    } catch (Http2Exception e) {
      throw new AssertionError("the peer sent an undecodable header block", e);
    } finally {
      buffer.release();
    }
  }

  private static void string(ByteArrayOutputStream out, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    // RFC 7541 section 5.1 with a prefix of seven bits.
    int length = bytes.length;
    if (length < 127) {
      out.write(length);
    } else {
      out.write(127);
      length -= 127;
      while (length >= 128) {
        out.write(length % 128 + 128);
        length /= 128;
      }
      out.write(length);
    }
    out.writeBytes(bytes);
  }
}
