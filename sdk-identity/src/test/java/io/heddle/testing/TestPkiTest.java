// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.identity.IdentityException;
import io.heddle.identity.SvidSource;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TestPkiTest {

  private final TestPki pki = TestPki.create("cluster.local");

  @Test
  @DisplayName("an SVID of the test PKI is signed by its root")
  void svidIsSignedByTheRoot() throws Exception {
    X509Certificate leaf = pki.svid("spiffe://cluster.local/ns/shop/sa/web").leaf();

    leaf.verify(pki.root().certificate().getPublicKey());
    assertThat(pki.bundle().anchors()).containsExactly(pki.root().certificate());
  }

  @Test
  @DisplayName("an SVID below an intermediate carries it in its chain")
  void chainHoldsTheIntermediate() {
    TestAuthority intermediate = pki.root().intermediate("int", 0);

    assertThat(intermediate.leaf("spiffe://cluster.local/a").svid().chain())
        .hasSize(2)
        .endsWith(intermediate.certificate());
  }

  @Test
  @DisplayName("a settable source delivers each update to its listeners")
  void sourceDeliversUpdates() {
    try (SettableSource source = SettableSource.empty()) {
      List<Long> seen = new ArrayList<>();
      SvidSource.Registration registration = source.onUpdate(s -> seen.add(s.version()));

      source.set(pki.snapshot("spiffe://cluster.local/a"));
      source.set(pki.snapshot("spiffe://cluster.local/a"));
      registration.close();
      source.set(pki.snapshot("spiffe://cluster.local/a"));

      assertThat(seen).containsExactly(1L, 2L);
      assertThat(source.awaitReady(Duration.ZERO).version()).isEqualTo(3);
    }
  }

  @Test
  @DisplayName("an empty settable source is not ready")
  void emptySourceIsNotReady() {
    try (SettableSource source = SettableSource.empty()) {
      assertThatExceptionOfType(IdentityException.Unavailable.class).isThrownBy(source::current);
      assertThatExceptionOfType(IdentityException.Unavailable.class)
          .isThrownBy(() -> source.awaitReady(Duration.ofMillis(1)));
    }
  }
}
