// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.heddle.spi.MeshTelemetry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the application is dialled (HBONE reference 1.12, DESIGN D28). */
class ApplicationAddressTest {

  private final Exposures exposures = new Exposures();

  private Delivery delivery(String pod, boolean proxied, boolean tunnelsOverLoopback) {
    return new TunnelTerminator(
            () -> {
              throw new AssertionError("the address depends on no state");
            },
            () -> null,
            SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/wp"),
            exposures,
            new PeerRegistry(),
            new ConnectionObserver(MeshTelemetry.none(), System::nanoTime),
            Duration.ZERO,
            tunnelsOverLoopback,
            false)
        .delivery(new Resolved(at(pod, 1).getAddress(), 15088, null, proxied ? at(pod, 80) : null));
  }

  private static Delivery byTcp(String literal, int port) {
    return new Delivery.ByTcp(at(literal, port));
  }

  private static InetSocketAddress at(@Nullable String literal, int port) {
    return new InetSocketAddress(Objects.requireNonNull(IpAddresses.parse(literal)), port);
  }

  @ParameterizedTest(name = "an application of {0} that wants PROXY headers is dialled at {1}")
  @CsvSource({"10.0.0.9, 127.0.0.1", "fd00::9, ::1"})
  void loopback(String pod, String dialled) {
    assertThat(delivery(pod, true, true)).isEqualTo(byTcp(dialled, 15088));
  }

  @Test
  @DisplayName("with LOCALHOST_APP_TUNNEL off it is dialled at the pod's address")
  void podAddress() {
    assertThat(delivery("10.0.0.9", true, false)).isEqualTo(byTcp("10.0.0.9", 15088));
  }

  @Test
  @DisplayName("an application that wants no header is never dialled at loopback")
  void withoutHeader() {
    assertThat(delivery("10.0.0.9", false, true)).isEqualTo(byTcp("10.0.0.9", 15088));
  }

  @Test
  @DisplayName("an exposure of the port goes before both")
  void exposed() {
    exposures.add(15088, byTcp("127.0.0.1", 4711));

    assertThat(delivery("10.0.0.9", true, false)).isEqualTo(byTcp("127.0.0.1", 4711));
  }
}
