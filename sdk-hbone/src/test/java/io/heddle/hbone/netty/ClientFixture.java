// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.HboneSettingsBuilder;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.rig.Await;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Clients and frame peers of one test, closed in the reverse order of their making. */
final class ClientFixture implements AutoCloseable {

  static final String WEB = "spiffe://cluster.local/ns/shop/sa/web";
  static final String BATCH = "spiffe://cluster.local/ns/shop/sa/batch";
  static final String REVIEWS = "spiffe://cluster.local/ns/shop/sa/reviews";
  static final TestPki PKI = TestPki.create("cluster.local");
  static final SSLContext PEER_TLS = PeerTls.of(PKI, REVIEWS);

  /** A good server that sets no limit of its own. */
  static final FramePeer.Behaviour GOOD = (connection, number) -> connection.serve(1000);

  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  final EventLoopGroup loops = Transport.preferred().newGroup(2, "test-client");

  ClientFixture() {
    resources.push(() -> loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync());
  }

  HboneClient client(UnaryOperator<HboneSettingsBuilder> changes) {
    return client(PKI.source(WEB), changes);
  }

  HboneClient client(SettableSource source, UnaryOperator<HboneSettingsBuilder> changes) {
    return client(builder(source), changes);
  }

  HboneClient client(HboneClient.Builder builder, UnaryOperator<HboneSettingsBuilder> changes) {
    HboneClient client =
        builder.settings(changes.apply(HboneSettings.defaults().toBuilder()).build()).build();
    resources.push(() -> client.close(Duration.ZERO).get(30, TimeUnit.SECONDS));
    return client;
  }

  HboneClient.Builder builder(SettableSource source) {
    resources.push(source);
    MeshTls tls = MeshTls.builder(source).build();
    resources.push(tls);
    return HboneClient.builder(tls).eventLoopGroup(loops);
  }

  FramePeer peer(FramePeer.Behaviour behaviour) throws Exception {
    return closing(FramePeer.overTls(PEER_TLS, behaviour));
  }

  /**
   * Our own server on all of 127.0.0.0/8, on loops of its own; ends each tunnel that the client
   * ends.
   */
  InetSocketAddress server() {
    EventLoopGroup serverLoops = Transport.preferred().newGroup(2, "test-server");
    resources.push(() -> serverLoops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync());
    SettableSource source = closing(PKI.source(REVIEWS));
    MeshTls tls = closing(MeshTls.builder(source).build());
    HboneServer server =
        HboneServer.builder(tls, request -> request.accept(null, new Polite()))
            .eventLoopGroup(serverLoops)
            .build();
    resources.push(() -> Await.get(server.drain(Duration.ZERO)));
    return Await.get(server.bind(new InetSocketAddress("0.0.0.0", 0)));
  }

  private static final class Polite extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        ctx.close();
      }
    }
  }

  /** Runs on one of the client's event loops, and waits for it. */
  void onLoop(Runnable task) throws Exception {
    loops.next().submit(task).get(30, TimeUnit.SECONDS);
  }

  <T extends AutoCloseable> T closing(T resource) {
    resources.push(resource);
    return resource;
  }

  static TunnelTarget target(FramePeer peer) {
    return target(peer.address(), null);
  }

  static TunnelTarget target(FramePeer peer, String source) throws Exception {
    return target(peer.address(), InetAddress.getByName(source));
  }

  static TunnelTarget target(InetSocketAddress address, @Nullable InetAddress source) {
    return new TunnelTarget(
        address,
        List.of(SpiffeId.parse(REVIEWS)),
        source,
        Authority.parse("10.0.0.5:8080"),
        TunnelHeaders.NONE);
  }

  @Override
  public void close() throws Exception {
    Throwable failure = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception | AssertionError e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw new AssertionError("the end of the test: " + failure.getMessage(), failure);
    }
  }
}
