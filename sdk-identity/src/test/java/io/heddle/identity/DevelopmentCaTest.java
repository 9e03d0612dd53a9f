// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.CapturedLog;
import io.heddle.testing.ManualTime;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DevelopmentCaTest {

  private static final TrustDomain MESH = TrustDomain.parse("mesh.test");
  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  @DisplayName("a leaf has the shape of an Istio certificate")
  void leafShape() throws Exception {
    X509Certificate leaf = atNoon().issue(WEB, Duration.ofSeconds(90)).leaf();

    assertThat(leaf.getSubjectX500Principal().getName()).isEmpty();
    assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(6, WEB.toString()));
    assertThat(leaf.getCriticalExtensionOIDs()).contains("2.5.29.15", "2.5.29.17");
    boolean[] digitalSignatureOnly = new boolean[9];
    digitalSignatureOnly[0] = true;
    assertThat(leaf.getKeyUsage()).containsExactly(digitalSignatureOnly);
    assertThat(leaf.getExtendedKeyUsage())
        .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
    assertThat(leaf.getPublicKey().getAlgorithm()).isEqualTo("EC");
  }

  @Test
  @DisplayName("a leaf is backdated by a minute and ends a whole second not before it was asked to")
  void leafDates() {
    DevelopmentCa ca =
        outsideAnyCluster().clock(new ManualTime(NOON.plusMillis(400)).clock()).build();

    X509Svid svid = ca.issue(WEB, Duration.ofSeconds(2));

    assertThat(svid.notBefore()).isEqualTo(NOON.minusSeconds(60));
    assertThat(svid.notAfter()).isEqualTo(NOON.plusSeconds(3));
  }

  @Test
  @DisplayName("the root carries the id of the trust domain and may sign certificates only")
  void rootShape() throws Exception {
    X509Certificate root = atNoon().bundle().anchors().iterator().next();

    assertThat(root.getSubjectAlternativeNames()).containsExactly(List.of(6, "spiffe://mesh.test"));
    assertThat(root.getBasicConstraints()).isNotNegative();
    boolean[] signing = new boolean[9];
    signing[5] = true;
    signing[6] = true;
    assertThat(root.getKeyUsage()).containsExactly(signing);
    assertThat(root.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
  }

  @Test
  @DisplayName("a leaf chains to the bundle of its own authority and to no other")
  void leafChainsToBundle() throws Exception {
    DevelopmentCa ca = atNoon();
    X509Svid svid = ca.issue(WEB, Duration.ofMinutes(5));

    assertThat(chains(svid, ca.bundle())).isTrue();
    assertThat(chains(svid, atNoon().bundle())).isFalse();
  }

  @Test
  @DisplayName("every leaf has a key of its own")
  void freshKeys() {
    DevelopmentCa ca = atNoon();

    X509Svid one = ca.issue(WEB, Duration.ofMinutes(5));
    X509Svid other = ca.issue(WEB, Duration.ofMinutes(5));

    assertThat(one.leaf().getPublicKey()).isNotEqualTo(other.leaf().getPublicKey());
    assertThat(one.leaf().getSerialNumber()).isNotEqualTo(other.leaf().getSerialNumber());
  }

  @Test
  @DisplayName("the private key of a leaf can be destroyed")
  void destroyableKeys() throws Exception {
    X509Svid svid = atNoon().issue(WEB, Duration.ofMinutes(5));

    svid.privateKey().destroy();

    assertThat(svid.privateKey().isDestroyed()).isTrue();
  }

  @Test
  @DisplayName("a leaf never outlives the root, and an expired root issues nothing")
  void rootEnds() {
    ManualTime time = new ManualTime(NOON);
    DevelopmentCa ca =
        outsideAnyCluster().clock(time.clock()).rootLifetime(Duration.ofMinutes(10)).build();

    assertThat(ca.issue(WEB, Duration.ofHours(1)).notAfter()).isEqualTo(NOON.plusSeconds(600));

    time.elapse(Duration.ofMinutes(10));
    assertThatThrownBy(() -> ca.issue(WEB, Duration.ofHours(1)))
        .isInstanceOf(IdentityException.SourceFailed.class)
        .hasMessageContaining("mesh.test expired at 2026-03-01T12:10:00Z")
        .hasMessageContaining("restart");
  }

  @Test
  @DisplayName("an id of another trust domain, or of no workload, is not certified")
  void foreignIds() {
    DevelopmentCa ca = atNoon();

    assertThatThrownBy(() -> ca.issue(SpiffeId.parse("spiffe://other.test/a"), Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: a workload of trust domain mesh.test");
    assertThatThrownBy(() -> ca.issue(MESH.id(), Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("ID-094 refused beside Kubernetes or a Workload API socket unless forced")
  void refusedInACluster() {
    for (String sign : List.of("KUBERNETES_SERVICE_HOST", "SPIFFE_ENDPOINT_SOCKET")) {
      DevelopmentCa.Builder builder =
          DevelopmentCa.builder(MESH).environment(Map.of(sign, "10.0.0.1"));

      assertThatThrownBy(builder::build)
          .isInstanceOf(IdentityException.Refused.class)
          .hasMessageContaining(sign)
          .hasMessageContaining("Istio CA");
      assertThat(builder.force().build().trustDomain()).isEqualTo(MESH);
    }
  }

  @Test
  @DisplayName("announces itself once, as a warning")
  void announcesItself() {
    try (CapturedLog log = new CapturedLog()) {
      DevelopmentCa ca = outsideAnyCluster().build();
      ca.issue(WEB, Duration.ofMinutes(1));

      assertThat(log.warnings("development certificate authority for trust domain mesh.test"))
          .hasSize(1);
    }
  }

  private static DevelopmentCa atNoon() {
    return outsideAnyCluster().clock(new ManualTime(NOON).clock()).build();
  }

  /** The tests themselves may run in a pod. */
  private static DevelopmentCa.Builder outsideAnyCluster() {
    return DevelopmentCa.builder(MESH).environment(Map.of());
  }

  private static boolean chains(X509Svid svid, TrustBundle bundle) throws Exception {
    PKIXParameters parameters =
        new PKIXParameters(Set.of(new TrustAnchor(bundle.anchors().iterator().next(), null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(NOON));
    try {
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509").generateCertPath(svid.chain()), parameters);
      return true;
    } catch (CertPathValidatorException e) {
      return false;
    }
  }
}
