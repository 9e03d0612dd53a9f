// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import static io.heddle.identity.grpc.IstioCaFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.heddle.identity.SourceHealth;
import io.heddle.testing.PemTexts;
import io.heddle.testing.ProjectedVolume;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection itself: address, roots, names, headers. Every call is a request for a key. */
final class ControlPlaneTest {

  private final IstioCaFixture fixture = new IstioCaFixture();
  private final TestIstioCa ca = fixture.ca;

  @AfterEach
  void stop() {
    fixture.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "istiod.istio-system.svc:15012, istiod.istio-system.svc:15012",
    "https://istiod.istio-system.svc:15012, istiod.istio-system.svc:15012",
    "HTTPS://localhost:15012/, localhost:15012",
    "https://127.0.0.1:1, 127.0.0.1:1",
    "https://[::1]:15012, [::1]:15012"
  })
  @DisplayName("an address without a scheme is https")
  void addresses(String text, String expected) {
    assertThat(ControlPlane.builder(text).build()).hasToString(expected);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "",
        "istiod",
        "https://istiod",
        "ftp://istiod:1",
        "https://:15012",
        "https://::1:15012",
        "https://[::1]",
        "https://istiod:0",
        "https://istiod:65536",
        "https://istiod:+1",
        "https://istiod:x",
        "https://user@istiod:1",
        "https://istiod:1/path:2"
      })
  @DisplayName("what is no address is refused with the form that is expected")
  void noAddresses(String text) {
    assertThatThrownBy(() -> ControlPlane.builder(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://host:port");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"http://127.0.0.1:15010", "http://istiod.istio-system.svc:15010"})
  @DisplayName("plaintext is refused unless it was allowed, and then only on loopback")
  void plaintext(String address) {
    assertThatThrownBy(ControlPlane.builder(address)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not encrypted");
    boolean loopback = address.contains("127.0.0.1");
    ControlPlane.Builder allowed = ControlPlane.builder(address).allowPlaintextOnLoopback();
    if (loopback) {
      assertThatCode(allowed::build).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(allowed::build).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("the server is known by the alternative name where it is dialled by address")
  void alternativeName() {
    assertThat(health(fixture.controlPlane()).state()).isEqualTo(SourceHealth.State.READY);
  }

  @Test
  @DisplayName("a server of another name is refused, and both names are told")
  void wrongName() {
    String address = ca.address().replace("127.0.0.1", "localhost");

    SourceHealth health = health(builder(address));

    assertThat(health.lastError()).contains(TestIstioCa.HOST, "is not accepted for localhost");
    assertThat(ca.asked()).isEmpty();
  }

  @Test
  @DisplayName("a server of neither name is refused")
  void wrongAlternative() {
    SourceHealth health = health(fixture.controlPlane().alternativeHost("istiod.other.svc"));

    assertThat(health.lastError()).contains("nor for istiod.other.svc");
    assertThat(ca.asked()).isEmpty();
  }

  @Test
  @DisplayName("a server under other roots is refused even if it has the alternative name")
  void wrongRoots() {
    TestAuthority other = TestAuthority.root("other", Clock.systemUTC());

    SourceHealth health =
        health(
            fixture
                .controlPlane()
                .roots(ServerRoots.pem(PemTexts.certificate(other.certificate()))));

    assertThat(health.lastError()).contains("under the roots given as text", "path");
    assertThat(ca.asked()).isEmpty();
  }

  @Test
  @DisplayName("SYSTEM means the roots of the JVM, which do not know this server")
  void systemRoots() {
    SourceHealth health = health(fixture.controlPlane().roots(ServerRoots.of("SYSTEM")));

    assertThat(health.lastError()).contains("under the roots of the JVM");
    assertThat(ca.asked()).isEmpty();
  }

  @Test
  @DisplayName("a root file that is missing is named, with what to mount there")
  void missingRoots(@TempDir Path directory) {
    Path file = directory.resolve("root-cert.pem");

    SourceHealth health = health(fixture.controlPlane().roots(ServerRoots.file(file)));

    assertThat(health.lastError()).contains(file.toString(), "istio-ca-root-cert");
  }

  @Test
  @DisplayName("ID-061 a replaced root file counts for the next connection")
  void rootsRotate(@TempDir Path directory) throws Exception {
    ProjectedVolume volume = new ProjectedVolume(directory.resolve("istio"));
    TestAuthority former = TestAuthority.root("former", Clock.systemUTC());
    volume.publish(Map.of("root-cert.pem", PemTexts.certificate(former.certificate())));
    ControlPlane authority =
        fixture
            .controlPlane()
            .roots(ServerRoots.file(directory.resolve("istio/root-cert.pem")))
            .build();
    try (IstioCaSource source = fixture.source(authority, WEB).build()) {
      fixture.settle();
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.STARTING);

      volume.publish(
          Map.of(
              "root-cert.pem",
              PemTexts.certificates(List.of(former.certificate(), fixture.web.certificate()))));
      fixture.time.elapse(Duration.ofSeconds(2));

      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
    }
  }

  @Test
  @DisplayName("cluster id and further headers are sent in lower case")
  void headers() {
    health(fixture.controlPlane().header("X-Tenant", "blue"));

    Metadata sent = ca.asked().get(0).headers();
    assertThat(sent.get(key("clusterid"))).isEqualTo("Kubernetes");
    assertThat(sent.get(key("x-tenant"))).isEqualTo("blue");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"a b, c", "'', c", "x-bin, c", "x, 'line\nbreak'"})
  @DisplayName("what cannot be a header is refused when it is said")
  void badHeaders(String name, String value) {
    assertThatThrownBy(() -> fixture.controlPlane().header(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  @DisplayName("without a token the call is made, and its refusal has nothing to say about one")
  void noToken() {
    SourceHealth health = health(builder(ca.address()).alternativeHost(TestIstioCa.HOST));

    assertThat(health.lastError()).endsWith("request authenticate failure");
  }

  @Test
  @DisplayName("the JVM's default proxy selector is not asked: it may lead into the mesh")
  void noProxy() {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(new DeadProxy());
    try {
      assertThat(health(fixture.controlPlane()).state()).isEqualTo(SourceHealth.State.READY);
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @ParameterizedTest(name = "{0} covers {1}: {2}")
  @CsvSource({
    "istiod.istio-system.svc, ISTIOD.istio-system.svc, true",
    "*.istio-system.svc, istiod.istio-system.svc, true",
    "*.istio-system.svc, a.istiod.istio-system.svc, false",
    "*.istio-system.svc, istio-system.svc, false",
    "*.svc, istiod.svc, false",
    "i*.istio-system.svc, istiod.istio-system.svc, false",
    "other, istiod.istio-system.svc, false"
  })
  @DisplayName("a star stands for one whole first label")
  void wildcards(String name, String host, boolean expected) {
    assertThat(new ServerNames(List.of(name)).cover(host)).isEqualTo(expected);
  }

  private ControlPlane.Builder builder(String address) {
    return ControlPlane.builder(address)
        .roots(ServerRoots.pem(PemTexts.certificate(fixture.web.certificate())))
        .clusterId("Kubernetes")
        .clock(fixture.time.clock());
  }

  private SourceHealth health(ControlPlane.Builder authority) {
    try (IstioCaSource source = fixture.source(authority.build(), WEB).build()) {
      fixture.settle();
      return source.health();
    }
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** A proxy at which nobody listens. */
  private static final class DeadProxy extends ProxySelector {
    @Override
    public List<Proxy> select(URI uri) {
      return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", 1)));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      throw new AssertionError("asked for " + uri);
    }
  }
}
