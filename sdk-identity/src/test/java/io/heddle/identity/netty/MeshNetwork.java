// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** Event loops and loopback connections for tests; closing it closes every channel. */
final class MeshNetwork implements AutoCloseable {

  static final long DEADLINE_SECONDS = 30;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  /** A server: where it listens, and what became of each connection it accepted. */
  record Server(InetSocketAddress address, BlockingQueue<Accepted> accepted) {

    Accepted next() throws InterruptedException {
      Accepted next = accepted.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("no connection arrived");
      }
      return next;
    }
  }

  /** One accepted connection. */
  record Accepted(Channel channel, Future<PeerSvid> peer) {}

  /** One dialled connection. */
  record Dialled(Channel channel, Future<PeerSvid> peer) {}

  /** A server that answers every connection with what it receives. */
  Server serve(MeshTls tls) {
    return serve(tls::addServer);
  }

  /** The same with a choice of who may connect. */
  Server serve(Function<ChannelPipeline, Future<PeerSvid>> secure) {
    BlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                initializer(
                    channel -> {
                      Future<PeerSvid> peer = secure.apply(channel.pipeline());
                      channel.pipeline().addLast(new Echo());
                      accepted.add(new Accepted(channel, peer));
                    }));
    Channel listener = bootstrap.bind("127.0.0.1", 0).syncUninterruptibly().channel();
    channels.add(listener);
    return new Server((InetSocketAddress) listener.localAddress(), accepted);
  }

  Dialled dial(MeshTls tls, PeerAuthorizer expected, Server server) {
    return dial(tls, expected, server, new Inbox());
  }

  Dialled dial(MeshTls tls, PeerAuthorizer expected, Server server, ChannelHandler application) {
    return dial(tls, expected, server.address(), application);
  }

  Dialled dial(
      MeshTls tls, PeerAuthorizer expected, InetSocketAddress address, ChannelHandler application) {
    AtomicReference<Future<PeerSvid>> peer = new AtomicReference<>();
    Channel channel =
        connect(
            address,
            created -> {
              peer.set(tls.addClient(created.pipeline(), expected));
              created.pipeline().addLast(application);
            });
    return new Dialled(channel, peer.get());
  }

  /** Connects a channel whose pipeline the caller fills. */
  Channel connect(InetSocketAddress address, Consumer<Channel> pipeline) {
    return new Bootstrap()
        .group(loops)
        .channel(NioSocketChannel.class)
        .handler(initializer(pipeline))
        .connect(address)
        .syncUninterruptibly()
        .channel();
  }

  /** Waits for the outcome, whichever it is. */
  static Future<PeerSvid> settled(Future<PeerSvid> peer) throws InterruptedException {
    if (!peer.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the handshake did not end");
    }
    return peer;
  }

  EventLoopGroup loops() {
    return loops;
  }

  private ChannelInitializer<Channel> initializer(Consumer<Channel> body) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channels.add(channel);
        body.accept(channel);
      }
    };
  }

  @Override
  public void close() {
    channels.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, DEADLINE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Sends back what arrives. */
  static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.flush();
    }
  }

  /** Collects what a connection delivers: bytes, its failure, its end. */
  static final class Inbox extends ChannelInboundHandlerAdapter {

    private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    private volatile boolean active;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      active = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      byte[] copy = new byte[bytes.readableBytes()];
      bytes.readBytes(copy);
      bytes.release();
      events.add(copy);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      events.add(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      events.add("closed");
    }

    boolean sawActivation() {
      return active;
    }

    /** The next event: a {@code byte[]}, a {@link Throwable}, or {@code "closed"}. */
    Object next() throws InterruptedException {
      Object event = events.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("nothing arrived");
      }
      return event;
    }

    /** Exactly so many bytes, however they were cut. */
    byte[] bytes(int count) throws InterruptedException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      while (all.size() < count) {
        Object event = next();
        if (!(event instanceof byte[] part)) {
          throw new AssertionError("expected bytes, got " + event);
        }
        all.writeBytes(part);
      }
      return all.toByteArray();
    }

    boolean isEmpty() {
      return events.isEmpty();
    }
  }
}
