// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.internal.x509.PeerValidator;
import io.heddle.testing.TestPki;
import java.security.cert.X509Certificate;
import java.time.Clock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OpenHandshakesTest {

  private final TestPki pki = TestPki.create("mesh.test");
  private final IdentitySnapshot snapshot = pki.snapshot("spiffe://mesh.test/ns/shop/sa/web");
  private final OpenHandshakes handshakes = new OpenHandshakes();
  private final SvidKeys keys = SvidKeys.of(handshakes);
  private final SpiffeTrust trust =
      SpiffeTrust.of(new PeerValidator(Clock.systemUTC()), handshakes);
  private final X509Certificate[] peer = {pki.svid("spiffe://mesh.test/ns/shop/sa/db").leaf()};

  private static SSLEngine engine() throws Exception {
    return SSLContext.getDefault().createSSLEngine();
  }

  @Test
  @DisplayName("an engine that is pinned presents the pinned SVID and accepts by the pinned rule")
  void pinned() throws Exception {
    SSLEngine engine = engine();
    HandshakePin pin = handshakes.open(engine, snapshot, PeerAuthorizer.anyPeer());

    String alias = keys.chooseEngineServerAlias("EC", null, engine);

    assertThat(alias).isEqualTo(pin.alias());
    assertThat(keys.getPrivateKey(alias)).isSameAs(snapshot.svid().privateKey());
    assertThat(keys.getCertificateChain(alias)).containsExactly(snapshot.svid().leaf());
    trust.checkClientTrusted(peer, "EC", engine);
  }

  @Test
  @DisplayName("an engine that is not pinned gets no key, and its peer is refused")
  void unpinned() throws Exception {
    SSLEngine engine = engine();

    assertThat(keys.chooseEngineServerAlias("EC", null, engine)).isNull();
    assertThat(keys.chooseEngineClientAlias(new String[] {"EC"}, null, engine)).isNull();
    assertThatThrownBy(() -> trust.checkServerTrusted(peer, "EC", engine))
        .isInstanceOf(PeerRejectedException.class);
  }

  @Test
  @DisplayName("a caller that does not name its engine is refused")
  void anonymousCaller() {
    handshakesOfOthers();

    assertThatThrownBy(() -> trust.checkServerTrusted(peer, "EC"))
        .isInstanceOf(PeerRejectedException.class);
    assertThatThrownBy(() -> trust.checkClientTrusted(peer, "EC"))
        .isInstanceOf(PeerRejectedException.class);
    assertThat(keys.chooseServerAlias("EC", null, null)).isNull();
  }

  private void handshakesOfOthers() {
    try {
      handshakes.open(engine(), snapshot, PeerAuthorizer.anyPeer());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("when the handshake ends its SVID is forgotten, and its engine is a stranger")
  void ended() throws Exception {
    SSLEngine engine = engine();
    HandshakePin pin = handshakes.open(engine, snapshot, PeerAuthorizer.anyPeer());

    handshakes.close(pin);

    assertThat(handshakes.size()).isZero();
    assertThat(keys.getPrivateKey(pin.alias())).isNull();
    assertThat(keys.getCertificateChain(pin.alias())).isNull();
    assertThatThrownBy(() -> trust.checkClientTrusted(peer, "EC", engine))
        .isInstanceOf(PeerRejectedException.class);
  }

  @Test
  @DisplayName("no issuers are advertised")
  void noIssuers() {
    assertThat(trust.getAcceptedIssuers()).isEmpty();
  }
}
