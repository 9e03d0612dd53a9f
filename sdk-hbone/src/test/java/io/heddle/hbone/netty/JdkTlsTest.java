// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.TunnelRig;
import io.heddle.identity.netty.TlsProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What tunnels do, once more on the JDK's TLS engine, which platforms without BoringSSL use. */
class JdkTlsTest {

  @BeforeAll
  static void jdk() {
    TunnelRig.tlsProvider(TlsProvider.JDK);
  }

  @AfterAll
  static void preferred() {
    TunnelRig.tlsProvider(TlsProvider.AUTO);
  }

  @Test
  @DisplayName("these tests do run on the JDK's engine")
  void engine() {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      assertThat(rig.serverTls.description()).startsWith("JDK");
      assertThat(rig.clientTls.description()).startsWith("JDK");
    }
  }

  @Nested
  class Connect extends ConnectTest {}

  @Nested
  class HalfClose extends HalfCloseTest {}

  @Nested
  class Transfer extends TransferTest {}

  @Nested
  class Server extends ServerTest {}
}
