// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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

/**
 * Plain connections: raw TCP, or mutual TLS with the very engine, ciphers and verification that the
 * tunnels use.
 */
final class SocketContender implements Contender {

  /** TLS of both ends, and who the client expects. */
  record MutualTls(MeshTls client, MeshTls server, SpiffeId expected) {}

  private final String name;
  private final @Nullable MutualTls tls;
  private final EventLoopGroup clientLoop = Loops.one("client");
  private final EventLoopGroup serverLoop = Loops.one("server");
  private @Nullable Channel listener;

  private SocketContender(String name, @Nullable MutualTls tls) {
    this.name = name;
    this.tls = tls;
  }

  static SocketContender tcp() {
    return new SocketContender("tcp", null);
  }

  static SocketContender mutualTls(MutualTls tls) {
    return new SocketContender("mtls", tls);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void serve(Supplier<ChannelHandler> application) throws Exception {
    listener =
        new ServerBootstrap()
            .group(serverLoop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (tls == null) {
                      channel.pipeline().addLast(application.get());
                      return;
                    }
                    tls.server()
                        .addServer(channel.pipeline())
                        .addListener(
                            (Future<PeerSvid> done) -> {
                              if (done.isSuccess()) {
                                channel.pipeline().addLast(application.get());
                              }
                            });
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
  }

  @Override
  public Channel connect(ChannelHandler application) throws Exception {
    Promise<Channel> ready = clientLoop.next().newPromise();
    new Bootstrap()
        .group(clientLoop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (tls == null) {
                  channel.pipeline().addLast(application);
                  return;
                }
                tls.client()
                    .addClient(channel.pipeline(), PeerAuthorizer.exactly(tls.expected()))
                    .addListener(
                        (Future<PeerSvid> done) -> {
                          if (done.isSuccess()) {
                            channel.pipeline().addLast(application);
                            ready.setSuccess(channel);
                          } else {
                            ready.setFailure(done.cause());
                          }
                        });
              }
            })
        .connect(Objects.requireNonNull(listener, "not serving").localAddress())
        .addListener(
            connected -> {
              if (!connected.isSuccess()) {
                ready.tryFailure(connected.cause());
              } else if (tls == null) {
                ready.setSuccess(((io.netty.channel.ChannelFuture) connected).channel());
              }
            });
    return ready.sync().getNow();
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
