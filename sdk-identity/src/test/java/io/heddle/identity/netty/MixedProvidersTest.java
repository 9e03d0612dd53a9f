// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.X509Svid;
import io.heddle.testing.Requires;
import io.heddle.testing.TestPki;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One TLS engine at each end. */
@Requires("boringssl")
class MixedProvidersTest {

  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";
  private static final String DB = "spiffe://mesh.test/ns/shop/sa/db";

  private final TestPki pki = TestPki.create("mesh.test");
  private final MeshNetwork network = new MeshNetwork();

  @AfterEach
  void close() {
    network.close();
  }

  @ParameterizedTest(name = "ID-089 client {0}, server {1}")
  @CsvSource({"JDK,JDK", "JDK,BORINGSSL", "BORINGSSL,JDK", "BORINGSSL,BORINGSSL"})
  void everyPairing(TlsProvider clientSide, TlsProvider serverSide) throws Exception {
    try (MeshTls server = MeshTls.builder(pki.source(WEB)).provider(serverSide).build();
        MeshTls client = MeshTls.builder(pki.source(DB)).provider(clientSide).build()) {
      MeshNetwork.Server serving = network.serve(server);
      MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();

      MeshNetwork.Dialled dialled =
          network.dial(client, PeerAuthorizer.exactly(SpiffeId.parse(WEB)), serving, inbox);

      assertThat(MeshNetwork.settled(dialled.peer()).get().id()).hasToString(WEB);
      assertThat(MeshNetwork.settled(serving.next().peer()).get().id()).hasToString(DB);
      dialled.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[100_000]));
      assertThat(inbox.bytes(100_000)).hasSize(100_000);
    }
  }

  @Test
  @DisplayName(
      "ID-089 a peer that insists on a key exchange unknown to the JDK fails with its alert")
  void noSharedGroup() throws Exception {
    X509Svid web = pki.svid(WEB);
    SslContext postQuantumOnly =
        SslContextBuilder.forServer(web.privateKey(), web.leaf())
            .sslProvider(SslProvider.OPENSSL_REFCNT)
            .option(OpenSslContextOption.GROUPS, new String[] {"X25519MLKEM768"})
            .clientAuth(ClientAuth.NONE)
            .build();
    try (MeshTls client = MeshTls.builder(pki.source(DB)).provider(TlsProvider.JDK).build()) {
      MeshNetwork.Server server =
          network.serve((ChannelPipeline pipeline) -> insisting(pipeline, postQuantumOnly));

      Future<PeerSvid> peer =
          MeshNetwork.settled(network.dial(client, PeerAuthorizer.anyPeer(), server).peer());

      assertThat(PeerAlert.in(peer.cause())).contains(new PeerAlert("handshake_failure"));
    } finally {
      ReferenceCountUtil.release(postQuantumOnly);
    }
  }

  private static Future<PeerSvid> insisting(ChannelPipeline pipeline, SslContext context) {
    pipeline.addLast(context.newHandler(pipeline.channel().alloc()), new MeshNetwork.Inbox());
    return pipeline.channel().eventLoop().newPromise();
  }
}
