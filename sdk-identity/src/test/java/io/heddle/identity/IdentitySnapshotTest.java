// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IdentitySnapshotTest {

  private static final String ID = "spiffe://mesh.test/ns/shop/sa/web";
  private static final int READS = 25_000;

  private final TestPki first = TestPki.create("mesh.test");
  private final TestPki second = TestPki.create("mesh.test");

  @Test
  @DisplayName("B001 eight readers never see a leaf beside the bundle of another update")
  void neverTorn() throws Exception {
    IdentitySnapshot a = first.snapshot(ID);
    IdentitySnapshot b = second.snapshot(ID);
    AtomicBoolean reading = new AtomicBoolean(true);
    AtomicInteger ready = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(9);
    try (SettableSource source = SettableSource.of(a)) {
      Future<Long> writer = threads.submit(() -> alternate(source, a, b, reading, ready));
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(threads.submit(reader(source, ready)));
      }

      int matching = 0;
      for (Future<Integer> reader : readers) {
        matching += reader.get();
      }
      reading.set(false);

      assertThat(matching).isEqualTo(8 * READS);
      assertThat(writer.get()).as("updates while reading").isGreaterThan(1);
    } finally {
      reading.set(false);
      threads.shutdownNow();
    }
  }

  private static long alternate(
      SettableSource source,
      IdentitySnapshot a,
      IdentitySnapshot b,
      AtomicBoolean reading,
      AtomicInteger ready) {
    long updates = 0;
    while (reading.get()) {
      source.set(updates % 2 == 0 ? b : a);
      updates++;
      if (updates == 2) {
        ready.set(1);
      }
    }
    return updates;
  }

  private Callable<Integer> reader(SettableSource source, AtomicInteger ready) {
    return () -> {
      while (ready.get() == 0) {
        Thread.onSpinWait();
      }
      int matching = 0;
      for (int i = 0; i < READS; i++) {
        IdentitySnapshot seen = source.current();
        if (isOwnAnchor(seen)) {
          matching++;
        }
      }
      return matching;
    };
  }

  /** The JDK remembers the last key a certificate was verified with, so this is cheap. */
  private static boolean isOwnAnchor(IdentitySnapshot seen) throws Exception {
    TrustBundle bundle = seen.bundles().find(seen.svid().id().trustDomain()).orElseThrow();
    X509Certificate anchor = bundle.anchors().iterator().next();
    try {
      seen.svid().leaf().verify(anchor.getPublicKey());
      return true;
    } catch (SignatureException e) {
      return false;
    }
  }

  @Test
  @DisplayName("a bundle without anchors is kept: everything of that trust domain is withdrawn")
  void emptyBundle() {
    TrustDomain partner = TrustDomain.parse("partner.test");

    TrustBundles bundles = TrustBundles.of(first.bundle(), TrustBundle.of(partner, List.of()));

    assertThat(bundles.find(partner).orElseThrow().anchors()).isEmpty();
    assertThat(bundles.find(TrustDomain.parse("unknown.test"))).isEmpty();
    assertThat(bundles.all()).hasSize(2);
  }

  @Test
  @DisplayName("bundles with the same anchors are equal")
  void bundleEquality() {
    assertThat(first.bundles()).isEqualTo(first.bundles()).hasSameHashCodeAs(first.bundles());
    assertThat(first.bundles()).isNotEqualTo(second.bundles());
  }

  @Test
  @DisplayName("two bundles for one trust domain are refused")
  void duplicateBundle() {
    assertThatExceptionOfType(IdentityException.InvalidBundle.class)
        .isThrownBy(() -> TrustBundles.of(first.bundle(), second.bundle()))
        .withMessageContaining("mesh.test");
  }

  @Test
  @DisplayName("values are copied: changing the list a bundle was made from changes nothing")
  void copied() {
    List<X509Certificate> anchors = new ArrayList<>(first.bundle().anchors());
    TrustBundle bundle = TrustBundle.of(first.trustDomain(), anchors);

    anchors.clear();

    assertThat(bundle.anchors()).hasSize(1);
  }
}
