// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.internal.ca.CsrFactory;
import io.heddle.identity.internal.ca.KeyPairs;
import io.heddle.identity.internal.pem.IssuedChain;
import io.heddle.identity.internal.proto.IstioCertificateRequest;
import io.heddle.identity.internal.proto.IstioCertificateServiceGrpc;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a certificate request is answered with (control-plane reference 4). */
class CertificateServiceTest {

  private static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private static final SpiffeId WEB = SpiffeId.workload(TRUST_DOMAIN, "app", "web");
  private static final KeyPair KEY = KeyPairs.p256(new SecureRandom());
  private static final long DAY = Duration.ofDays(1).toSeconds();

  private static PlaneFixture fixture(UnaryOperator<LocalControlPlaneBuilder> more) {
    MeshState state =
        MeshState.builder()
            .workload("istio-system/ztunnel", "127.0.0.1")
            .node("istio-system/ztunnel", "one")
            .workload("app/web", "127.0.0.2")
            .node("app/web", "one")
            .workload("app/far", "127.0.0.3")
            .node("app/far", "two")
            .build();
    return new PlaneFixture(
        state,
        builder ->
            more.apply(builder.trustedNodeAccount("istio-system/ztunnel"))
                .clock(Clock.fixed(NOW, ZoneOffset.UTC)));
  }

  private static List<String> sign(
      PlaneFixture fixture, @Nullable String token, String csr, long seconds, String... metadata)
      throws Exception {
    Struct.Builder fields = Struct.newBuilder();
    for (int i = 0; i < metadata.length; i += 2) {
      fields.putFields(metadata[i], Value.newBuilder().setStringValue(metadata[i + 1]).build());
    }
    return IstioCertificateServiceGrpc.newBlockingStub(fixture.client().channel)
        .withCallCredentials(PlaneClient.credentials(token, "Kubernetes"))
        .withDeadlineAfter(20, TimeUnit.SECONDS)
        .createCertificate(
            IstioCertificateRequest.newBuilder()
                .setCsr(csr)
                .setValidityDuration(seconds)
                .setMetadata(fields)
                .build())
        .getCertChainList();
  }

  private static IssuedChain signed(PlaneFixture fixture, long seconds) throws Exception {
    return IssuedChain.of(
        sign(fixture, fixture.plane.token("app/web"), CsrFactory.pem(WEB, KEY), seconds));
  }

  private static Status refusal(
      PlaneFixture fixture, @Nullable String token, String csr, long seconds, String... metadata) {
    try {
      sign(fixture, token, csr, seconds, metadata);
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return Status.OK;
  }

  @Test
  @DisplayName("CP-57 a certificate comes as leaf, intermediate, root")
  void chain() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      List<String> elements =
          sign(fixture, fixture.plane.token("app/web"), CsrFactory.pem(WEB, KEY), DAY);
      assertThat(elements).hasSize(3);
      IssuedChain chain = IssuedChain.of(elements);
      X509Certificate leaf = chain.leaf();
      X509Certificate intermediate = chain.intermediates().get(0);
      X509Certificate root = chain.roots().iterator().next();

      leaf.verify(intermediate.getPublicKey());
      intermediate.verify(root.getPublicKey());
      root.verify(root.getPublicKey());
      assertThat(leaf.getPublicKey()).isEqualTo(KEY.getPublic());
      assertThat(leaf.getSubjectAlternativeNames())
          .containsExactly(List.of(6, "spiffe://cluster.local/ns/app/sa/web"));
      assertThat(leaf.getCriticalExtensionOIDs()).contains("2.5.29.17");
      assertThat(leaf.getKeyUsage()[0]).as("digitalSignature").isTrue();
      assertThat(leaf.getKeyUsage()[2]).as("keyEncipherment").isTrue();
      assertThat(leaf.getExtendedKeyUsage())
          .containsExactlyInAnyOrder("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
      assertThat(leaf.getNotBefore().toInstant()).isEqualTo(NOW.minusSeconds(120));
      assertThat(leaf.getNotAfter().toInstant()).isEqualTo(NOW.plusSeconds(DAY));
    }
  }

  @Test
  @DisplayName("the SAN is the caller's identity, whatever the request names")
  void sanOfRequestIsIgnored() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      SpiffeId other = SpiffeId.workload(TRUST_DOMAIN, "app", "other");
      IssuedChain chain =
          IssuedChain.of(
              sign(fixture, fixture.plane.token("app/web"), CsrFactory.pem(other, KEY), DAY));
      assertThat(chain.leaf().getSubjectAlternativeNames())
          .containsExactly(List.of(6, "spiffe://cluster.local/ns/app/sa/web"));
    }
  }

  @Test
  @DisplayName("CP-57 a caller without a valid token is UNAUTHENTICATED")
  void noCaller() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      Status status = refusal(fixture, null, CsrFactory.pem(WEB, KEY), DAY);
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription()).startsWith("request authenticate failure");
      String expired = fixture.plane.token("app/web", "istio-ca", Duration.ZERO);
      assertThat(refusal(fixture, expired, CsrFactory.pem(WEB, KEY), DAY).getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }

  @Test
  @DisplayName("CP-57 a request that is none, or not signed by its own key, is INVALID_ARGUMENT")
  void badRequest() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      String token = fixture.plane.token("app/web");
      assertThat(refusal(fixture, token, "no request", DAY).getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      String forged = forged(CsrFactory.pem(WEB, KEY));
      assertThat(refusal(fixture, token, forged, DAY).getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }

  /** The same request with one bit of its signature changed. */
  private static String forged(String pem) {
    byte[] der =
        java.util.Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", "").strip());
    der[der.length - 1] ^= 1;
    return "-----BEGIN CERTIFICATE REQUEST-----\n"
        + java.util.Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END CERTIFICATE REQUEST-----\n";
  }

  @Test
  @DisplayName("CP-57 a life of more than 90 days is INVALID_ARGUMENT, none is 24 hours")
  void lifetimes() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      Status status =
          refusal(fixture, fixture.plane.token("app/web"), CsrFactory.pem(WEB, KEY), 90 * DAY + 1);
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(signed(fixture, 90 * DAY).leaf().getNotAfter().toInstant())
          .isEqualTo(NOW.plusSeconds(90 * DAY));
      assertThat(signed(fixture, 0).leaf().getNotAfter().toInstant())
          .isEqualTo(NOW.plusSeconds(DAY));
      assertThat(signed(fixture, -5).leaf().getNotAfter().toInstant())
          .isEqualTo(NOW.plusSeconds(DAY));
    }
  }

  @Test
  @DisplayName("CP-57 a CA that is not ready is INTERNAL")
  void notReady() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      fixture.plane.inject(Fault.REFUSE_CERTIFICATES);
      String token = fixture.plane.token("app/web");
      assertThat(refusal(fixture, token, CsrFactory.pem(WEB, KEY), DAY).getCode())
          .isEqualTo(Status.Code.INTERNAL);
      fixture.plane.heal();
      assertThat(refusal(fixture, token, CsrFactory.pem(WEB, KEY), DAY).isOk()).isTrue();
    }
  }

  @Test
  @DisplayName("CP-58 no certificate outlives its signer")
  void clampedToSigner() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder.signerLifetime(Duration.ofHours(1)))) {
      assertThat(signed(fixture, DAY).leaf().getNotAfter().toInstant())
          .isCloseTo(NOW.plus(Duration.ofHours(1)), within(0, ChronoUnit.SECONDS));
    }
  }

  @Test
  @DisplayName("a shortened certificate leaves most of its life to come")
  void shortened() throws Exception {
    try (PlaneFixture fixture =
        fixture(builder -> builder.certificateLifetime(Duration.ofSeconds(8)))) {
      X509Certificate leaf = signed(fixture, DAY).leaf();
      assertThat(leaf.getNotAfter().toInstant()).isEqualTo(NOW.plusSeconds(8));
      assertThat(leaf.getNotBefore().toInstant()).isEqualTo(NOW.minusSeconds(1));
    }
  }

  @Test
  @DisplayName("after a rotation of the root, the last element holds the old root too")
  void severalRoots() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      X509Certificate old = signed(fixture, DAY).roots().iterator().next();
      fixture.plane.rotateRoot();
      IssuedChain chain = signed(fixture, DAY);
      assertThat(chain.roots()).hasSize(2).contains(old);
      chain.intermediates().get(0).verify(chain.roots().iterator().next().getPublicKey());
      assertThat(chain.roots().iterator().next()).isNotEqualTo(old);
    }
  }

  @Test
  @DisplayName("CP-56 a trusted, pod-bound caller may have the identity of a pod of its node")
  void impersonation() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      IssuedChain chain =
          IssuedChain.of(
              sign(
                  fixture,
                  fixture.plane.podToken("istio-system/ztunnel"),
                  CsrFactory.pem(WEB, KEY),
                  DAY,
                  "ImpersonatedIdentity",
                  WEB.toString()));
      assertThat(chain.leaf().getSubjectAlternativeNames())
          .containsExactly(List.of(6, WEB.toString()));
    }
  }

  @ParameterizedTest(name = "CP-56 impersonation is refused: {0}")
  @CsvSource({
    "caller not trusted, app/web, spiffe://cluster.local/ns/app/sa/web",
    "no pod of the account on the node, istio-system/ztunnel, spiffe://cluster.local/ns/app/sa/far",
    "unknown account, istio-system/ztunnel, spiffe://cluster.local/ns/app/sa/nobody",
    "another trust domain, istio-system/ztunnel, spiffe://elsewhere/ns/app/sa/web",
    "no SPIFFE id, istio-system/ztunnel, app/web"
  })
  void refusedImpersonation(String why, String workload, String identity) throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      assertImpersonationRefused(fixture, fixture.plane.podToken(workload), identity);
    }
  }

  @Test
  @DisplayName("CP-56 impersonation needs a token that is bound to a pod")
  void unboundToken() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      assertImpersonationRefused(
          fixture, fixture.plane.token("istio-system/ztunnel"), WEB.toString());
    }
  }

  @Test
  @DisplayName("CP-56 impersonation needs the pod to be there still, with the same uid")
  void podIsGone() throws Exception {
    try (PlaneFixture fixture = fixture(builder -> builder)) {
      String token = fixture.plane.podToken("istio-system/ztunnel");
      fixture.plane.publish(
          fixture.plane.state().toBuilder().removeWorkload("istio-system/ztunnel").build());
      assertImpersonationRefused(fixture, token, WEB.toString());
    }
  }

  private static void assertImpersonationRefused(
      PlaneFixture fixture, String token, String identity) {
    Status status =
        refusal(fixture, token, CsrFactory.pem(WEB, KEY), DAY, "ImpersonatedIdentity", identity);
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(status.getDescription()).isEqualTo("request impersonation authentication failure");
  }
}
