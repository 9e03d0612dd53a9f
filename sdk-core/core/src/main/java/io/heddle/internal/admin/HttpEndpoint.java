// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * One address where HTTP/1.1 is spoken. It lives on the event loops of the mesh, so that a client
 * that is slow, or many of them, hold no thread.
 */
public final class HttpEndpoint implements AutoCloseable {

  /** Nobody sends a body; the pages do not read one. */
  private static final int MOST_BODY_BYTES = 4_096;

  private static final int ASK_SECONDS = 10;
  private static final int TAKE_SECONDS = 60;

  private final Channel listening;

  private HttpEndpoint(Channel listening) {
    this.listening = listening;
  }

  /**
   * Serves readiness, at a port that the kubelet asks (DESIGN D29).
   *
   * @throws IOException if the address cannot be had
   */
  public static HttpEndpoint readiness(
      EventLoopGroup loops, InetSocketAddress address, ReadinessPages pages) throws IOException {
    return bind(loops, address, pages, Runnable::run);
  }

  /**
   * Serves operators, who ask from this host only (DESIGN D34).
   *
   * @param worker where pages are made; rejects when too much is asked at once
   * @throws IOException if the address cannot be had
   */
  public static HttpEndpoint admin(
      EventLoopGroup loops, InetSocketAddress address, AdminPages pages, Executor worker)
      throws IOException {
    return bind(loops, address, new LocalOnly(pages), worker);
  }

  private static HttpEndpoint bind(
      EventLoopGroup loops, InetSocketAddress address, Pages pages, Executor worker)
      throws IOException {
    var binding =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new ReadTimeoutHandler(ASK_SECONDS, TimeUnit.SECONDS),
                            new WriteTimeoutHandler(TAKE_SECONDS, TimeUnit.SECONDS),
                            new HttpServerCodec(),
                            new HttpObjectAggregator(MOST_BODY_BYTES),
                            new HttpConversation(pages, worker));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!binding.isSuccess()) {
      throw new IOException("cannot listen on " + address, binding.cause());
    }
    return new HttpEndpoint(binding.channel());
  }

  /** Where it listens, with the port that the system chose if none was given. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Takes no more connections; answers under way are still given. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
  }
}
