// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Nested.Layer;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Gateway;
import io.heddle.hbone.rig.Recorder;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.testing.SettableSource;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tunnels through a gateway that ends the outer layer and pipes what is inside. */
class NestedTunnelTest {

  private static final String GATEWAY = "spiffe://cluster.local/ns/istio-system/sa/eastwest";
  private static final SpiffeId GATEWAY_ID = SpiffeId.parse(GATEWAY);
  private static final SpiffeId REVIEWS_ID = SpiffeId.parse(ClientFixture.REVIEWS);
  private static final Authority AUTHORITY = new Authority.Name("reviews.shop.svc", 80);
  private static final TunnelHeaders HEADERS =
      new TunnelHeaders(
          "k8s.cluster.name=c1", "for=\"10.0.0.1:1\";host=reviews.shop.svc", null, null);

  private final ClientFixture fixture = new ClientFixture();
  private final BlockingQueue<TunnelRequest> atGateway = new LinkedBlockingQueue<>();
  private final BlockingQueue<TunnelRequest> atDestination = new LinkedBlockingQueue<>();
  private final HboneClient client = fixture.client(settings -> settings);

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private HboneServer server(String identity, TunnelAcceptor acceptor) {
    SettableSource source = fixture.closing(ClientFixture.PKI.source(identity));
    MeshTls tls = fixture.closing(MeshTls.builder(source).build());
    HboneServer server = HboneServer.builder(tls, acceptor).eventLoopGroup(fixture.loops).build();
    fixture.closing(() -> Await.get(server.drain(Duration.ZERO)));
    return server;
  }

  private static InetSocketAddress listen(HboneServer server) {
    return Await.get(server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  private HboneServer destination() {
    return server(
        ClientFixture.REVIEWS,
        request -> {
          atDestination.add(request);
          request.accept("service.name=reviews", new Echo());
        });
  }

  private InetSocketAddress gatewayTo(InetSocketAddress destination) {
    return listen(
        server(
            GATEWAY,
            request -> {
              atGateway.add(request);
              new Gateway(destination).onConnect(request);
            }));
  }

  private static NestedTarget through(InetSocketAddress gateway) {
    return new NestedTarget(outer(gateway), List.of(REVIEWS_ID), "west");
  }

  private static TunnelTarget outer(InetSocketAddress gateway) {
    return new TunnelTarget(gateway, List.of(GATEWAY_ID), null, AUTHORITY, HEADERS);
  }

  private Future<Tunnel> open(NestedTarget target, Recorder end) {
    return client.openThrough(target, end, fixture.loops.next());
  }

  private TunnelException.Nested failure(NestedTarget target) {
    return (TunnelException.Nested) Await.failure(open(target, new Recorder()));
  }

  @Test
  @DisplayName("bytes pass both ways, and the peer and its baggage are the destination's")
  void bothWays() {
    Recorder end = new Recorder();
    Tunnel tunnel = Await.get(open(through(gatewayTo(listen(destination()))), end));
    tunnel.writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII));
    tunnel.shutdownOutput();

    Await.get(tunnel.closeFuture());
    assertThat(end.text()).isEqualTo("hello");
    assertThat(end.error).isNotDone();
    assertThat(tunnel.peer().id()).isEqualTo(REVIEWS_ID);
    assertThat(tunnel.authority()).isEqualTo(AUTHORITY);
    assertThat(tunnel.responseBaggage()).contains("service.name=reviews");
  }

  @Test
  @DisplayName("OUT-21 both CONNECTs ask for the same, and only the inner one names the network")
  void headers() throws Exception {
    Tunnel tunnel = Await.get(open(through(gatewayTo(listen(destination()))), new Recorder()));

    TunnelRequest outer = atGateway.take();
    TunnelRequest inner = atDestination.take();
    assertThat(outer.authority()).isEqualTo(AUTHORITY);
    assertThat(inner.authority()).isEqualTo(AUTHORITY);
    assertThat(outer.headers()).isEqualTo(HEADERS);
    assertThat(inner.headers()).isEqualTo(HEADERS.withForwardedNetwork("west"));
    assertThat(inner.peer().id()).hasToString(ClientFixture.WEB);
    Await.get(tunnel.reset());
  }

  @Test
  @DisplayName("tunnels share the connection to the gateway, and none inside it")
  void onlyTheOuterIsShared() {
    HboneServer destination = destination();
    NestedTarget target = through(gatewayTo(listen(destination)));
    Tunnel first = Await.get(open(target, new Recorder()));
    Tunnel second = Await.get(open(target, new Recorder()));

    assertThat(client.statistics().connected()).isOne();
    assertThat(client.statistics().tunnels()).isEqualTo(2);
    assertThat(destination.connections()).isEqualTo(2);
    Await.get(first.close());
    Await.get(second.close());
  }

  @Test
  @DisplayName("the connection inside ends with its one tunnel, and gives the outer stream back")
  void endsWithItsTunnel() {
    HboneServer destination = destination();
    Recorder end = new Recorder();
    Tunnel tunnel = Await.get(open(through(gatewayTo(listen(destination))), end));
    tunnel.shutdownOutput();

    Await.get(tunnel.closeFuture());
    Await.until("no connection inside", () -> destination.connections() == 0);
    Await.until("no outer tunnel", () -> client.statistics().tunnels() == 0);
    assertThat(client.statistics().connections()).isOne();
  }

  @Test
  @DisplayName("an outer tunnel ends in order, so that a gateway drops nothing on its way")
  void outerEndsInOrder() {
    CompletableFuture<Boolean> cleanly = new CompletableFuture<>();
    InetSocketAddress destination = listen(destination());
    InetSocketAddress gateway =
        listen(
            server(
                GATEWAY,
                request -> new Gateway(destination, () -> new Ending(cleanly)).onConnect(request)));
    Tunnel tunnel = Await.get(open(through(gateway), new Recorder()));
    tunnel.shutdownOutput();

    assertThat(Await.get(cleanly)).isTrue();
  }

  /** Tells whether a tunnel ended without a reset. */
  private static final class Ending extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<Boolean> cleanly;

    Ending(CompletableFuture<Boolean> cleanly) {
      this.cleanly = cleanly;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      cleanly.complete(false);
      ctx.fireExceptionCaught(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      cleanly.complete(true);
      ctx.fireChannelInactive();
    }
  }

  @Test
  @DisplayName("a destination that dies cuts the tunnel, which is no orderly end")
  void destinationDies() {
    HboneServer destination = destination();
    Recorder end = new Recorder();
    Await.get(open(through(gatewayTo(listen(destination))), end));

    Await.get(destination.drain(Duration.ZERO));

    assertThat(Await.get(end.error)).isInstanceOf(TunnelException.class);
    assertThat(end.ended).isNotDone();
  }

  @Test
  @DisplayName("a gateway that is not there fails the outer layer, in phase TCP")
  void noGateway() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    TunnelException.Nested failure = failure(through(nobody));

    assertThat(failure.layer()).isEqualTo(Layer.OUTER);
    assertThat(failure.outcome()).isEqualTo("outer_connect_failed");
    assertThat(failure).hasMessageContaining("to the network gateway");
    assertThat(((TunnelException.ConnectFailed) failure.failure()).phase())
        .isEqualTo(TunnelException.Phase.TCP);
  }

  @Test
  @DisplayName("a gateway that is somebody else fails the outer layer")
  void wrongGateway() {
    TunnelException.Nested failure = failure(through(listen(destination())));

    assertThat(failure.layer()).isEqualTo(Layer.OUTER);
    assertThat(failure.failure()).isInstanceOf(TunnelException.PeerRejected.class);
    assertThat(atDestination).isEmpty();
  }

  @Test
  @DisplayName("a gateway that does not serve the authority fails the outer layer")
  void gatewayRefuses() {
    TunnelException.Nested failure =
        failure(through(listen(server(GATEWAY, request -> request.refuse(404)))));

    assertThat(failure.layer()).isEqualTo(Layer.OUTER);
    assertThat(failure.failure())
        .isInstanceOfSatisfying(
            TunnelException.Refused.class, refused -> assertThat(refused.status()).isEqualTo(404));
  }

  @Test
  @DisplayName("a destination that is none of the service's names fails the inner layer")
  void wrongDestination() {
    InetSocketAddress gateway = gatewayTo(listen(destination()));
    NestedTarget target = new NestedTarget(outer(gateway), List.of(GATEWAY_ID), "west");
    TunnelException.Nested failure = failure(target);

    assertThat(failure.layer()).isEqualTo(Layer.INNER);
    assertThat(failure.failure()).isInstanceOf(TunnelException.PeerRejected.class);
    assertThat(failure).hasMessageContaining("behind the network gateway");
    Await.until("no outer tunnel", () -> client.statistics().tunnels() == 0);
  }

  @Test
  @DisplayName("a destination that denies fails the inner layer")
  void destinationDenies() {
    InetSocketAddress denying =
        listen(server(ClientFixture.REVIEWS, request -> request.refuse(401)));
    TunnelException.Nested failure = failure(through(gatewayTo(denying)));

    assertThat(failure.layer()).isEqualTo(Layer.INNER);
    assertThat(failure.outcome()).isEqualTo("inner_denied");
    Await.until("no outer tunnel", () -> client.statistics().tunnels() == 0);
  }

  @Test
  @DisplayName("a gateway that cuts the tunnel during the handshake inside fails the inner layer")
  void cutDuringHandshake() {
    InetSocketAddress cutting =
        listen(server(GATEWAY, request -> request.accept(null, new CutOnFirstByte())));
    TunnelException.Nested failure = failure(through(cutting));

    assertThat(failure.layer()).isEqualTo(Layer.INNER);
    assertThat(((TunnelException.ConnectFailed) failure.failure()).phase())
        .isEqualTo(TunnelException.Phase.TLS);
  }

  private static final class CutOnFirstByte extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      ((Tunnel) ctx.channel()).reset();
    }
  }

  @Test
  @DisplayName("who gives up leaves nothing behind, at any layer")
  void givenUp() throws Exception {
    CompletableFuture<TunnelRequest> held = new CompletableFuture<>();
    HboneServer silent = server(ClientFixture.REVIEWS, held::complete);
    Future<Tunnel> opening = open(through(gatewayTo(listen(silent))), new Recorder());
    TunnelRequest asked = Await.get(held);

    opening.cancel(false);

    Await.get(asked.cancelled());
    Await.until("no connection inside", () -> silent.connections() == 0);
    Await.until("no outer tunnel", () -> client.statistics().tunnels() == 0);
  }

  @Test
  @DisplayName("a closed client fails as such, and not at a layer")
  void closedClient() {
    Await.get(client.close(Duration.ZERO));

    assertThat(Await.failure(open(through(new InetSocketAddress("127.0.0.1", 1)), new Recorder())))
        .isInstanceOf(TunnelException.Closed.class);
  }

  @Test
  @DisplayName("a target without names behind the gateway is refused before anything is dialled")
  void nobodyExpected() {
    TunnelTarget outer = outer(new InetSocketAddress("127.0.0.1", 1));

    assertThatThrownBy(() -> new NestedTarget(outer, List.of(), "west"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("subject alternative names");
  }
}
