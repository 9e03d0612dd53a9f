// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.X509Svid;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecentSnapshotsTest {

  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";

  private final TestPki pki = TestPki.create("mesh.test");
  private final SettableSource source = pki.source(WEB);
  private final AtomicLong nanos = new AtomicLong();
  private final RecentSnapshots recent =
      new RecentSnapshots(source, PeerAuthorizer.anyPeer(), Clock.systemUTC(), nanos::get);

  @Test
  @DisplayName("chain and key of an alias stay of one version, however often the identity rotates")
  void aliasNamesOneSvid() {
    SvidKeys keys = new SvidKeys(recent);
    String alias = keys.chooseServerAlias("EC", null, null);
    X509Svid begun = source.current().svid();

    for (int i = 0; i < 50; i++) {
      source.set(pki.snapshot(WEB));
      keys.chooseServerAlias("EC", null, null);
    }

    assertThat(keys.getCertificateChain(alias)).containsExactly(begun.leaf());
    assertThat(keys.getPrivateKey(alias)).isSameAs(begun.privateKey());
  }

  @Test
  @DisplayName("ID-085 an SVID is forgotten when no handshake can use it any more")
  void forgetsInTime() {
    String first = recent.alias(null);
    for (int i = 0; i < 100; i++) {
      source.set(pki.snapshot(source.current().svid(), pki.bundles()));
      recent.alias(null);
    }
    assertThat(recent.size()).isEqualTo(101);

    nanos.addAndGet(RecentSnapshots.RETENTION.plusMillis(1).toNanos());
    recent.alias(null);

    assertThat(recent.size()).isEqualTo(1);
    assertThat(recent.svid(first)).isNull();
  }

  @Test
  @DisplayName("a version that is still asked for is kept")
  void usedVersionStays() {
    String alias = recent.alias(null);
    for (int i = 0; i < 5; i++) {
      nanos.addAndGet(RecentSnapshots.RETENTION.dividedBy(2).toNanos());
      assertThat(recent.alias(null)).isEqualTo(alias);
    }

    assertThat(recent.svid(alias)).isEqualTo(source.current().svid());
  }

  @Test
  @DisplayName("an expired SVID is not chosen")
  void expiredIsNotChosen() {
    source.set(pki.snapshot(pki.svid(WEB, Duration.ofSeconds(-1)), pki.bundles()));

    assertThat(recent.alias(null)).isNull();
  }

  @Test
  @DisplayName("a key of another kind than the peer can verify is not chosen")
  void keyKindCounts() {
    SvidKeys keys = new SvidKeys(recent);

    assertThat(keys.chooseServerAlias("RSA", null, null)).isNull();
    assertThat(keys.chooseClientAlias(new String[] {"RSA", "EC"}, null, null)).isNotNull();
  }

  @Test
  @DisplayName("without an identity no key is chosen and no peer is judged")
  void noIdentity() {
    source.close();

    assertThat(recent.alias(null)).isNull();
    assertThatThrownBy(() -> recent.terms(null)).isInstanceOf(CertificateException.class);
  }
}
