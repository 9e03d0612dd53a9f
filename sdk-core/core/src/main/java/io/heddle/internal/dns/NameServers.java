// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Name servers, asked one after the other until one answers. Every query has a socket and an id of
 * its own, so that nobody can guess both and answer first.
 */
public final class NameServers implements Upstream {

  private static final int MOST_UNDER_WAY = 1_024;

  private final List<InetSocketAddress> servers;
  private final Duration patience;
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * Asks these servers.
   *
   * @param servers the first goes first
   * @param patience how long each has for an answer
   */
  public NameServers(List<InetSocketAddress> servers, Duration patience) {
    this.servers = List.copyOf(servers);
    this.patience = patience;
  }

  @Override
  public Future<ByteBuf> ask(ByteBuf query, boolean byTcp, EventLoop loop) {
    Promise<ByteBuf> result = loop.newPromise();
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return result.setFailure(new IOException("too many queries wait for the name servers"));
    }
    ByteBuf kept = query.retainedDuplicate();
    result.addListener(
        done -> {
          underWay.decrementAndGet();
          kept.release();
        });
    askFrom(0, new IOException("there are no name servers"), kept, byTcp, loop, result);
    return result;
  }

  private void askFrom(
      int server,
      Throwable failure,
      ByteBuf query,
      boolean byTcp,
      EventLoop loop,
      Promise<ByteBuf> result) {
    if (server == servers.size()) {
      result.setFailure(failure);
      return;
    }
    one(servers.get(server), query, byTcp, loop)
        .addListener(
            (Future<ByteBuf> answer) -> {
              if (answer.isSuccess()) {
                result.setSuccess(answer.getNow());
              } else {
                askFrom(server + 1, answer.cause(), query, byTcp, loop, result);
              }
            });
  }

  private Future<ByteBuf> one(
      InetSocketAddress server, ByteBuf query, boolean byTcp, EventLoop loop) {
    Promise<ByteBuf> answer = loop.newPromise();
    int clientId = query.getUnsignedShort(query.readerIndex());
    int id = random.nextInt(0x1_0000);
    ByteBuf sent = query.copy();
    sent.setShort(0, id);
    Bootstrap bootstrap = new Bootstrap().group(loop);
    if (byTcp) {
      bootstrap
          .channel(NioSocketChannel.class)
          .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.toMillis());
    } else {
      bootstrap.channel(NioDatagramChannel.class);
    }
    ChannelFuture connected =
        bootstrap
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (byTcp) {
                      channel
                          .pipeline()
                          .addLast(
                              new LengthFieldBasedFrameDecoder(0xffff + 2, 0, 2, 0, 2),
                              new LengthFieldPrepender(2));
                    }
                    channel.pipeline().addLast(new Receiver(id, clientId, answer));
                  }
                })
            .connect(server);
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            send(connected.channel(), sent, answer);
          } else {
            sent.release();
            answer.tryFailure(done.cause());
          }
        });
    Future<?> deadline =
        loop.schedule(
            () -> answer.tryFailure(new IOException(server + " did not answer in " + patience)),
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
    answer.addListener(
        done -> {
          deadline.cancel(false);
          connected.channel().close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        });
    return answer;
  }

  private static void send(Channel channel, ByteBuf query, Promise<ByteBuf> answer) {
    channel
        .writeAndFlush(query)
        .addListener(
            sent -> {
              if (!sent.isSuccess()) {
                answer.tryFailure(sent.cause());
              }
            });
  }

  /** Takes the answer with the right id, and puts the client's back. */
  private static final class Receiver extends SimpleChannelInboundHandler<Object> {

    private final int id;
    private final int clientId;
    private final Promise<ByteBuf> answer;

    Receiver(int id, int clientId, Promise<ByteBuf> answer) {
      this.id = id;
      this.clientId = clientId;
      this.answer = answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Object message) {
      ByteBuf content =
          message instanceof DatagramPacket packet ? packet.content() : (ByteBuf) message;
      if (content.readableBytes() < DnsQuery.HEADER_BYTES
          || content.getUnsignedShort(content.readerIndex()) != id) {
        return;
      }
      ByteBuf copy = content.copy();
      copy.setShort(0, clientId);
      if (!answer.trySuccess(copy)) {
        copy.release();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      answer.tryFailure(new IOException("the name server ended the connection"));
      ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      answer.tryFailure(cause);
    }
  }
}
