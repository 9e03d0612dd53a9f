// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plain connections: raw TCP, or mutual TLS. */
public final class SocketContender implements Contender {

  private static final int BACKLOG = 1024;

  private final String name;
  private final @Nullable MutualTls tls;
  private final PlainVariant variant;
  private final EventLoopGroup clientLoop = Loops.one("client");
  private final EventLoopGroup serverLoop = Loops.one("server");
  private @Nullable Channel listener;

  private SocketContender(String name, @Nullable MutualTls tls, PlainVariant variant) {
    this.name = name;
    this.tls = tls;
    this.variant = variant;
  }

  public static SocketContender tcp() {
    return new SocketContender("tcp", null, PlainVariant.DEFAULTS);
  }

  /**
   * Mutual TLS by hand.
   *
   * @param tls stays the caller's to close
   */
  public static SocketContender mutualTls(MutualTls tls, PlainVariant variant) {
    return new SocketContender("mtls", tls, variant);
  }

  @Override
  public String name() {
    return name;
  }

  /** Where the server listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) Objects.requireNonNull(listener, "not serving").localAddress();
  }

  @Override
  public void serve(Supplier<? extends ChannelHandler> application) throws InterruptedException {
    listener =
        new ServerBootstrap()
            .group(serverLoop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel, application);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
  }

  private void accept(Channel channel, Supplier<? extends ChannelHandler> application) {
    variant.applyTo(channel);
    if (tls == null) {
      establish(channel, application.get());
      return;
    }
    tls.server()
        .addServer(channel.pipeline())
        .addListener(
            (Future<PeerSvid> done) -> {
              if (done.isSuccess()) {
                establish(channel, application.get());
              }
            });
  }

  @Override
  public Future<Channel> open(ChannelHandler application) {
    Promise<Channel> ready = clientLoop.next().newPromise();
    new Bootstrap()
        .group(clientLoop)
        .channel(NioSocketChannel.class)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                variant.applyTo(channel);
                if (tls != null) {
                  secure(tls, channel, application, ready);
                }
              }
            })
        .connect(address())
        .addListener(
            (ChannelFuture connected) -> {
              if (!connected.isSuccess()) {
                ready.tryFailure(connected.cause());
              } else if (tls == null) {
                establish(connected.channel(), application);
                ready.setSuccess(connected.channel());
              }
            });
    return ready;
  }

  private void secure(
      MutualTls by, Channel channel, ChannelHandler application, Promise<Channel> ready) {
    by.client()
        .addClient(channel.pipeline(), PeerAuthorizer.exactly(by.expected()))
        .addListener(
            (Future<PeerSvid> done) -> {
              if (done.isSuccess()) {
                establish(channel, application);
                ready.setSuccess(channel);
              } else {
                ready.tryFailure(done.cause());
              }
            });
  }

  private void establish(Channel channel, ChannelHandler application) {
    variant.completeOn(channel);
    channel.pipeline().addLast(application);
  }

  @Override
  public void close() {
    if (listener != null) {
      listener.close().awaitUninterruptibly();
    }
    Loops.stop(clientLoop);
    Loops.stop(serverLoop);
  }
}
