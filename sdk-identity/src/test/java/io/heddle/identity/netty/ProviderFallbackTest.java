// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.testing.TestPki;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What AUTO chooses where the native library does not load: asked of a JVM that cannot load it. */
class ProviderFallbackTest {

  @Test
  @DisplayName("ID-090 without the native library the JDK's engine serves, and one line says so")
  void fallsBack() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dio.netty.handler.ssl.noOpenSsl=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutNativeLibrary.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output.lines())
        .contains("description: JDK (SunJSSE)", "peer: spiffe://mesh.test/web", "demanded: refused")
        .filteredOn(line -> line.contains("INFO") && line.contains("TLS runs on the JDK's engine"))
        .hasSize(1);
  }

  /** Shakes hands with itself by AUTO, then demands BoringSSL. */
  static final class WithoutNativeLibrary {

    private WithoutNativeLibrary() {}

    public static void main(String[] args) throws Exception {
      TestPki pki = TestPki.create("mesh.test");
      try (MeshNetwork network = new MeshNetwork();
          MeshTls tls = MeshTls.builder(pki.source("spiffe://mesh.test/web")).build()) {
        System.out.println("description: " + tls.description());
        MeshNetwork.Dialled dialled =
            network.dial(tls, PeerAuthorizer.anyPeer(), network.serve(tls));
        System.out.println("peer: " + MeshNetwork.settled(dialled.peer()).get().id());
        assertThatThrownBy(
                () ->
                    MeshTls.builder(pki.source("spiffe://mesh.test/web"))
                        .provider(TlsProvider.BORINGSSL)
                        .build())
            .hasMessageContaining("BoringSSL does not load on this platform");
        System.out.println("demanded: refused");
      }
    }
  }
}
