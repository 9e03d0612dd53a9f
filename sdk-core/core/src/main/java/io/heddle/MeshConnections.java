// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.Authority;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.internal.blocking.BlockingByteChannel;
import io.heddle.internal.inbound.AdmittedPeer;
import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.relay.ChannelReset;
import io.heddle.internal.runtime.MeshRuntime;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Byte channels of the mesh as connections for the application's threads. */
final class MeshConnections {

  private static final Logger LOG = LoggerFactory.getLogger(MeshConnections.class);

  private MeshConnections() {}

  static CompletionStage<MeshConnection> open(MeshRuntime runtime, Authority destination) {
    BlockingByteChannel bytes = new BlockingByteChannel(reset());
    return openChannel(runtime, destination, bytes.handler())
        .thenApply(channel -> new Established(bytes, channel, peer(runtime, channel)));
  }

  static CompletionStage<DuplexChannel> openChannel(
      MeshRuntime runtime, Authority destination, ChannelHandler first) {
    CompletableFuture<DuplexChannel> result = new CompletableFuture<>();
    runtime
        .connector()
        .open(destination, first, null)
        .addListener(
            (Future<DuplexChannel> opened) -> {
              if (opened.isSuccess()) {
                result.complete(opened.getNow());
              } else {
                result.completeExceptionally(
                    MeshFailures.of("connect to " + destination, opened.cause()));
              }
            });
    return result;
  }

  /** Hands every tunnel to a handler on the application's executor. */
  static Delivery.Applications served(ConnectionHandler handler, Executor executor) {
    return peer -> {
      BlockingByteChannel bytes = new BlockingByteChannel(reset());
      return new TunnelHandoff(bytes, channel -> serve(handler, executor, bytes, channel, peer));
    };
  }

  private static void serve(
      ConnectionHandler handler,
      Executor executor,
      BlockingByteChannel bytes,
      DuplexChannel channel,
      AdmittedPeer peer) {
    Established connection = new Established(bytes, channel, Mesh.identity(peer));
    try {
      executor.execute(
          () -> {
            try {
              handler.handle(connection);
              connection.close();
            } catch (Exception e) {
              LOG.warn("the handler of an exposed port failed for {}", peer.svid().id(), e);
              bytes.reset();
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.warn("the executor of an exposed port took no connection of {}", peer.svid().id());
      bytes.reset();
    }
  }

  private static Optional<PeerIdentity> peer(MeshRuntime runtime, DuplexChannel channel) {
    return channel instanceof Tunnel tunnel
        ? Optional.of(
            new PeerIdentity(tunnel.peer().id(), runtime.connector().isViaWaypoint(tunnel)))
        : Optional.empty();
  }

  static ChannelReset reset() {
    ChannelReset tcp = ChannelReset.ofTcp();
    return channel -> {
      if (channel instanceof Tunnel tunnel) {
        tunnel.reset().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      } else {
        tcp.reset(channel);
      }
    };
  }

  private record Established(
      BlockingByteChannel bytes, DuplexChannel channel, Optional<PeerIdentity> peer)
      implements MeshConnection {

    @Override
    public InputStream input() {
      return bytes.input();
    }

    @Override
    public OutputStream output() {
      return bytes.output();
    }

    @Override
    public void shutdownOutput() {
      bytes.shutdownOutput();
    }

    @Override
    public SocketAddress remoteAddress() {
      @Nullable SocketAddress remote = channel.remoteAddress();
      return remote == null ? channel.localAddress() : remote;
    }

    @Override
    public void close() {
      try {
        bytes.close();
      } catch (IOException e) {
        LOG.debug("closing {} failed", channel, e);
      }
    }
  }
}
