// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyManagementException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeshSslContextTest {

  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";
  private static final String DB = "spiffe://mesh.test/ns/shop/sa/db";
  private static final PeerAuthorizer ANY = PeerAuthorizer.anyPeer();

  private final TestPki pki = TestPki.create("mesh.test");
  private final ExecutorService serving = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    serving.shutdownNow();
  }

  @Test
  @DisplayName("ID-086 a server that took the context once presents each new certificate")
  void serverOfAThirdParty() throws Exception {
    SettableSource web = pki.source(WEB);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(MeshSslContext.create(web, ANY)) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters ours = getSSLContext().getDefaultSSLParameters();
            parameters.setSSLParameters(ours);
          }
        });
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "hello".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.setExecutor(serving);
    server.start();
    try {
      SSLContext client = MeshSslContext.create(pki.source(DB), ANY);
      URI uri = URI.create("https://localhost:" + server.getAddress().getPort() + "/");

      HttpResponse<String> before = get(client, uri);
      X509Svid first = web.current().svid();
      web.set(pki.snapshot(WEB));
      HttpResponse<String> after = get(client, uri);

      assertThat(before.body()).isEqualTo("hello");
      assertThat(before.sslSession().orElseThrow().getPeerCertificates()[0])
          .isEqualTo(first.leaf());
      assertThat(after.sslSession().orElseThrow().getPeerCertificates()[0])
          .isEqualTo(web.current().svid().leaf());
    } finally {
      server.stop(0);
    }
  }

  private static HttpResponse<String> get(SSLContext context, URI uri) throws Exception {
    // A client of its own each time, so that no connection is kept.
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(context)
        .build()
        .send(
            HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("a client that names host and port is judged, and judges, on every connection")
  void nothingIsResumed() throws Exception {
    AtomicInteger judgedByServer = new AtomicInteger();
    AtomicInteger judgedByClient = new AtomicInteger();
    SSLContext server = MeshSslContext.create(pki.source(WEB), counting(judgedByServer));
    SSLContext client = MeshSslContext.create(pki.source(DB), counting(judgedByClient));

    try (SSLServerSocket listener = listen(server)) {
      for (int i = 0; i < 3; i++) {
        Future<String> peer = serving.submit(echoOnce(listener));
        try (SSLSocket socket = dial(client, listener)) {
          exchange(socket);
        }
        assertThat(peer.get()).isEqualTo("TLSv1.3");
      }
    }

    assertThat(judgedByServer).hasValue(3);
    assertThat(judgedByClient).hasValue(3);
  }

  private static PeerAuthorizer counting(AtomicInteger judgements) {
    return peer -> judgements.incrementAndGet() > 0;
  }

  @Test
  @DisplayName("a server demands a certificate without being told to")
  void certificateDemanded() throws Exception {
    SSLContext server = MeshSslContext.create(pki.source(WEB), ANY);
    ForeignPeer anonymous = ForeignPeer.anonymous();

    try (SSLServerSocket listener = listen(server)) {
      Future<String> refused = serving.submit(echoOnce(listener));
      try (SSLSocket socket =
          anonymous.dial((InetSocketAddress) listener.getLocalSocketAddress())) {
        assertThatThrownBy(() -> exchange(socket)).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(refused::get).hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("a peer that the rule does not accept is refused by the reason")
  void ruleCounts() throws Exception {
    SSLContext server = MeshSslContext.create(pki.source(WEB), ANY);
    SSLContext client =
        MeshSslContext.create(pki.source(DB), PeerAuthorizer.exactly(SpiffeId.parse(DB)));

    try (SSLServerSocket listener = listen(server)) {
      serving.submit(echoOnce(listener));
      try (SSLSocket socket = dial(client, listener)) {
        assertThatThrownBy(socket::startHandshake)
            .hasCauseInstanceOf(PeerRejectedException.class)
            .hasMessageContaining("NOT_AUTHORIZED");
      }
    }
  }

  @Test
  @DisplayName("ID-083 TLS 1.2 is spoken only after opting in")
  void tls12() throws Exception {
    SSLContext strict = MeshSslContext.create(pki.source(WEB), ANY);
    SSLContext lenient = MeshSslContext.createAlsoForTls12(pki.source(WEB), ANY);
    SSLContext client = MeshSslContext.createAlsoForTls12(pki.source(DB), ANY);

    try (SSLServerSocket listener = listen(strict)) {
      serving.submit(echoOnce(listener));
      try (SSLSocket socket = dial(client, listener)) {
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
      }
    }
    try (SSLServerSocket listener = listen(lenient)) {
      Future<String> version = serving.submit(echoOnce(listener));
      try (SSLSocket socket = dial(client, listener)) {
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        exchange(socket);
      }
      assertThat(version.get()).isEqualTo("TLSv1.2");
    }
  }

  @Test
  @DisplayName("ID-082 an expired certificate of our own is not presented")
  void ownCertificateExpired() throws Exception {
    SettableSource expired =
        SettableSource.of(pki.snapshot(pki.svid(WEB, Duration.ofSeconds(-5)), pki.bundles()));
    SSLContext client = MeshSslContext.create(pki.source(DB), ANY);

    try (SSLServerSocket listener = listen(MeshSslContext.create(expired, ANY))) {
      Future<String> refused = serving.submit(echoOnce(listener));
      try (SSLSocket socket = dial(client, listener)) {
        assertThatThrownBy(() -> exchange(socket)).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(refused::get).hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("engines and default parameters carry the settings, and init is refused")
  void looksLikeAnyContext() throws Exception {
    SSLContext context = MeshSslContext.create(pki.source(WEB), ANY);

    assertThat(context.createSSLEngine().getEnabledProtocols()).containsExactly("TLSv1.3");
    assertThat(context.createSSLEngine("localhost", 443).getPeerHost()).isEqualTo("localhost");
    assertThat(context.getDefaultSSLParameters().getProtocols()).containsExactly("TLSv1.3");
    assertThat(context.getDefaultSSLParameters().getNeedClientAuth()).isTrue();
    assertThat(context.getSupportedSSLParameters().getProtocols()).contains("TLSv1.2");
    assertThat(List.of(context.getSocketFactory().getDefaultCipherSuites()))
        .contains("TLS_AES_128_GCM_SHA256");
    assertThatThrownBy(() -> context.init(null, null, null))
        .isInstanceOf(KeyManagementException.class);
  }

  private static SSLServerSocket listen(SSLContext context) throws IOException {
    return (SSLServerSocket)
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static SSLSocket dial(SSLContext context, SSLServerSocket listener) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", listener.getLocalPort());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** Accepts one connection, answers one byte, and tells the version of TLS. */
  private static Callable<String> echoOnce(SSLServerSocket listener) {
    return () -> {
      try (SSLSocket accepted = (SSLSocket) listener.accept();
          InputStream in = accepted.getInputStream()) {
        accepted.getOutputStream().write(in.read());
        return accepted.getSession().getProtocol();
      }
    };
  }

  private static void exchange(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(7);
    if (socket.getInputStream().read() != 7) {
      throw new IOException("the server ended the connection");
    }
  }
}
