// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** DNS by UDP and TCP at one address. */
public final class DnsServer implements AutoCloseable {

  /** HBONE reference 6: a request by TCP. */
  private static final int TCP_SECONDS = 5;

  private static final int LONGEST_DATAGRAM = 4_096;

  private final Channel udp;
  private final Channel tcp;

  private DnsServer(Channel udp, Channel tcp) {
    this.udp = udp;
    this.tcp = tcp;
  }

  /**
   * Serves at an address; a port of 0 stands for one that is free for both.
   *
   * @throws IOException if the address cannot be had
   */
  public static DnsServer bind(
      EventLoopGroup loops, InetSocketAddress address, DnsResponder responder) throws IOException {
    Channel tcp = bound(tcp(loops, responder).bind(address), address);
    try {
      InetSocketAddress same = (InetSocketAddress) tcp.localAddress();
      return new DnsServer(bound(udp(loops, responder).bind(same), same), tcp);
    } catch (IOException e) {
      tcp.close().awaitUninterruptibly();
      throw e;
    }
  }

  private static Channel bound(ChannelFuture binding, InetSocketAddress address)
      throws IOException {
    if (!binding.awaitUninterruptibly().isSuccess()) {
      throw new IOException("DNS cannot listen on " + address, binding.cause());
    }
    return binding.channel();
  }

  private static Bootstrap udp(EventLoopGroup loops, DnsResponder responder) {
    return new Bootstrap()
        .group(loops)
        .channel(NioDatagramChannel.class)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(LONGEST_DATAGRAM))
        .handler(new ByUdp(responder));
  }

  private static ServerBootstrap tcp(EventLoopGroup loops, DnsResponder responder) {
    return new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new ReadTimeoutHandler(TCP_SECONDS, TimeUnit.SECONDS),
                        new LengthFieldBasedFrameDecoder(0xffff + 2, 0, 2, 0, 2),
                        new LengthFieldPrepender(2),
                        new ByTcp(responder));
              }
            });
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) tcp.localAddress();
  }

  @Override
  public void close() {
    udp.close().awaitUninterruptibly();
    tcp.close().awaitUninterruptibly();
  }

  private static final class ByUdp extends SimpleChannelInboundHandler<DatagramPacket> {

    private final DnsResponder responder;

    ByUdp(DnsResponder responder) {
      this.responder = responder;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, DatagramPacket packet) {
      InetSocketAddress client = packet.sender();
      responder.answer(
          new DnsResponder.Asked(
              packet.content(),
              client.getAddress(),
              false,
              answer -> send(ctx, new DatagramPacket(answer, client))),
          ctx.alloc(),
          ctx.channel().eventLoop());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be sent is as good as lost.
    private static void send(ChannelHandlerContext ctx, DatagramPacket answer) {
      ctx.writeAndFlush(answer, ctx.voidPromise());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // One client's broken datagram, or an ICMP answer to one of ours: the others go on.
    }
  }

  private static final class ByTcp extends SimpleChannelInboundHandler<ByteBuf> {

    private final DnsResponder responder;

    ByTcp(DnsResponder responder) {
      this.responder = responder;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
      InetSocketAddress client = (InetSocketAddress) ctx.channel().remoteAddress();
      responder.answer(
          new DnsResponder.Asked(message, client.getAddress(), true, answer -> send(ctx, answer)),
          ctx.alloc(),
          ctx.channel().eventLoop());
    }

    private static void send(ChannelHandlerContext ctx, ByteBuf answer) {
      ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }
}
