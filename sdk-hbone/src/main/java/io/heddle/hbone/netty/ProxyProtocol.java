// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.identity.SpiffeId;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageEncoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.handler.codec.haproxy.HAProxyTLV;
import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The PROXY protocol, version 2, by which an application learns whose tunnel it is handed and what
 * the tunnel was to lead to.
 */
public final class ProxyProtocol {

  /** The type of the field with the caller's SPIFFE id, within the range for own use. */
  public static final byte IDENTITY_TYPE = (byte) 0xd0;

  private ProxyProtocol() {}

  /**
   * Writes a header, and flushes it. On the channel's event loop, before anything else is written.
   *
   * @param application the channel to the application
   * @param source where the tunnel comes from
   * @param destination what it was to lead to
   * @param peer whose certificate opened it
   * @return how the write ended
   */
  public static ChannelFuture writeHeader(
      Channel application, InetSocketAddress source, InetSocketAddress destination, SpiffeId peer) {
    HAProxyMessage header = header(source, destination, peer);
    application.pipeline().addLast(HAProxyMessageEncoder.INSTANCE);
    try {
      return application.writeAndFlush(header);
    } finally {
      application.pipeline().remove(HAProxyMessageEncoder.INSTANCE);
    }
  }

  private static HAProxyMessage header(
      InetSocketAddress source, InetSocketAddress destination, SpiffeId peer) {
    boolean ipv4 = isIpv4(source) && isIpv4(destination);
    byte[] identity = peer.toString().getBytes(StandardCharsets.US_ASCII);
    return new HAProxyMessage(
        HAProxyProtocolVersion.V2,
        HAProxyCommand.PROXY,
        ipv4 ? HAProxyProxiedProtocol.TCP4 : HAProxyProxiedProtocol.TCP6,
        text(source.getAddress(), ipv4),
        text(destination.getAddress(), ipv4),
        source.getPort(),
        destination.getPort(),
        List.of(new HAProxyTLV(IDENTITY_TYPE, Unpooled.wrappedBuffer(identity))));
  }

  /**
   * Both addresses are of one family on the wire. HAProxy maps the one of IPv4 into IPv6 where they
   * differ, and so does this: an unspecified family would lose the destination.
   */
  private static String text(InetAddress address, boolean ipv4) {
    String literal = NetUtil.toAddressString(address);
    return address instanceof Inet4Address && !ipv4 ? "::ffff:" + literal : literal;
  }

  private static boolean isIpv4(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address;
  }
}
