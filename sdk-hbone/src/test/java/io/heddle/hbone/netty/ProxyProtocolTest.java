// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The bytes, as the specification of the PROXY protocol (2.2) and HBONE (1.12) want them. */
class ProxyProtocolTest {

  private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
  private static final String VERSION_2_PROXY = "21";
  private static final String TCP4 = "11";
  private static final String TCP6 = "21";
  private static final SpiffeId WEB = SpiffeId.parse("spiffe://t/ns/a/sa/b");
  private static final String IDENTITY =
      "d00014"
          + HexFormat.of().formatHex("spiffe://t/ns/a/sa/b".getBytes(StandardCharsets.US_ASCII));

  private static String header(String source, String destination) throws Exception {
    EmbeddedChannel application = new EmbeddedChannel();
    try {
      ProxyProtocol.writeHeader(application, at(source, 4660), at(destination, 80), WEB);
      ByteBuf written = application.readOutbound();
      try {
        assertThat(application.pipeline().names()).noneMatch(name -> name.contains("HAProxy"));
        return ByteBufUtil.hexDump(written);
      } finally {
        written.release();
      }
    } finally {
      application.finishAndReleaseAll();
    }
  }

  private static InetSocketAddress at(String literal, int port) throws Exception {
    return new InetSocketAddress(InetAddress.getByName(literal), port);
  }

  @Test
  @DisplayName("an IPv4 header has both ends and the caller's SPIFFE id")
  void ipv4() throws Exception {
    assertThat(header("10.0.0.1", "10.0.0.2"))
        .isEqualTo(
            SIGNATURE
                + VERSION_2_PROXY
                + TCP4
                + "0023"
                + "0a000001"
                + "0a000002"
                + "12340050"
                + IDENTITY);
  }

  @Test
  @DisplayName("an IPv6 header has both ends and the caller's SPIFFE id")
  void ipv6() throws Exception {
    assertThat(header("fd00::1", "fd00::2"))
        .isEqualTo(
            SIGNATURE
                + VERSION_2_PROXY
                + TCP6
                + "003b"
                + "fd000000000000000000000000000001"
                + "fd000000000000000000000000000002"
                + "12340050"
                + IDENTITY);
  }

  @Test
  @DisplayName("an IPv4 source of an IPv6 destination is mapped, so that neither is lost")
  void mixed() throws Exception {
    assertThat(header("10.0.0.1", "fd00::2"))
        .isEqualTo(
            SIGNATURE
                + VERSION_2_PROXY
                + TCP6
                + "003b"
                + "00000000000000000000ffff0a000001"
                + "fd000000000000000000000000000002"
                + "12340050"
                + IDENTITY);
  }
}
