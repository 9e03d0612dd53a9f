// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import static io.heddle.identity.grpc.IstioCaFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.grpc.Status;
import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentityException.NotIssued;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.identity.internal.x509.PeerValidator;
import io.heddle.testing.KeyKind;
import io.heddle.testing.PemTexts;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import io.heddle.testing.TestSigningRequest;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of the certificate authority, and which of its answers are taken. */
final class IstioCaAnswersTest {

  private final IstioCaFixture fixture = new IstioCaFixture();
  private final TestIstioCa ca = fixture.ca;

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  @DisplayName(
      "CP-30 a request has an empty subject and one URI; the authority's shape check holds")
  void shapeOfRequest() {
    try (IstioCaSource source = started()) {
      TestIstioCa.Asked asked = ca.asked().get(0);

      assertThat(asked.request().id()).isEqualTo(WEB);
      assertThat(asked.lifetime()).isEqualTo(Duration.ofHours(24));
      assertThat(asked.token()).isEqualTo(fixture.goodToken());
      assertThat(source.current().svid().id()).isEqualTo(WEB);
    }
  }

  @Test
  @DisplayName("B011 an id far beyond 64 characters is asked for without a common name")
  void longId() {
    SpiffeId id =
        SpiffeId.workload(
            TrustDomain.parse("mesh.test"),
            "a-namespace-with-a-fairly-long-name-for-tests",
            "an-equally-long-service-account-name");

    try (IstioCaSource source = fixture.source(fixture.controlPlane().build(), id).build()) {
      fixture.settle();

      assertThat(ca.asked().get(0).request().id()).isEqualTo(id);
      assertThat(source.current().svid().id()).isEqualTo(id);
    }
  }

  @Test
  @DisplayName("ID-050 each request is for a new key")
  void newKeyEachTime() {
    try (IstioCaSource source = started()) {
      fixture.time.elapse(Duration.ofHours(14));

      assertThat(source.current().version()).isEqualTo(2);
      assertThat(ca.asked().stream().map(asked -> asked.request().key()).distinct()).hasSize(2);
    }
  }

  @ParameterizedTest(name = "CP-29 {0}")
  @ValueSource(
      strings = {
        "spiffe://mesh.test",
        "spiffe://mesh.test/web",
        "spiffe://mesh.test/ns/shop",
        "spiffe://mesh.test/ns/shop/sa",
        "spiffe://mesh.test/sa/web/ns/shop",
        "spiffe://mesh.test/ns/shop/sa/web/extra"
      })
  @DisplayName("CP-29 only the five-part form of Istio is asked for")
  void shapeOfId(String id) {
    assertThatThrownBy(
            () -> IstioCaSource.builder(fixture.controlPlane().build(), SpiffeId.parse(id)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/ns/<namespace>/sa/<account>");
  }

  @Test
  @DisplayName("CP-21 an answer without certificates is an error of its own")
  void emptyChain() {
    ca.signer((request, lifetime) -> List.of());

    assertThat(refusal()).isEqualTo(NotIssued.Problem.EMPTY_ANSWER);
  }

  @Test
  @DisplayName("CP-22 a certificate for another identity is refused")
  void wrongIdentity() {
    ca.signer(
        (request, lifetime) ->
            ca.sign(
                new TestSigningRequest(
                    SpiffeId.parse("spiffe://mesh.test/ns/pay/sa/api"), request.key()),
                lifetime));

    assertThat(refusal()).isEqualTo(NotIssued.Problem.OTHER_IDENTITY);
  }

  @Test
  @DisplayName("ID-053 a certificate for another key is refused")
  void wrongKey() {
    KeyPair other = KeyKind.P256.generate();
    ca.signer(
        (request, lifetime) ->
            ca.sign(new TestSigningRequest(request.id(), other.getPublic()), lifetime));

    assertThat(refusal()).isEqualTo(NotIssued.Problem.OTHER_KEY);
  }

  @Test
  @DisplayName("something that is no certificate is refused, and the element is named")
  void unreadable() {
    ca.signer((request, lifetime) -> List.of("hello", "world"));

    try (IstioCaSource source = started()) {
      assertThat(reason(source)).isEqualTo(NotIssued.Problem.UNREADABLE);
      assertThat(source.health().lastError()).contains("element 1");
    }
  }

  @Test
  @DisplayName("a certificate that its own roots do not vouch for is refused")
  void foreignRoot() {
    TestAuthority other = TestAuthority.root("other", fixture.time.clock());
    ca.signer((request, lifetime) -> TestIstioCa.chain(ca.leaf(request).issue(), other));

    assertThat(refusal()).isEqualTo(NotIssued.Problem.UNTRUSTED);
  }

  @Test
  @DisplayName("a certificate that has ended already is not adopted, and the clocks are mentioned")
  void alreadyExpired() {
    ca.signer(
        (request, lifetime) ->
            TestIstioCa.chain(
                ca.leaf(request).notAfter(fixture.time.now().minusSeconds(1)).issue(),
                fixture.mesh));

    try (IstioCaSource source = started()) {
      assertThat(reason(source)).isEqualTo(NotIssued.Problem.UNTRUSTED);
      assertThat(source.health().lastError()).contains("compare the clocks");
    }
  }

  @Test
  @DisplayName("CP-31 two roots in the last element: peers under either are accepted")
  void severalRoots() throws Exception {
    TestAuthority coming = TestAuthority.root("coming", fixture.time.clock());
    ca.signer((request, lifetime) -> withSecondRoot(ca.sign(request, lifetime), coming));

    try (IstioCaSource source = started()) {
      PeerValidator validator = new PeerValidator(fixture.time.clock());
      for (TestAuthority signer : List.of(fixture.mesh, coming)) {
        X509Certificate[] peer = {signer.leaf(WEB.toString()).certificate()};
        assertThat(validator.validate(peer, source.current().bundles(), PeerRole.SERVER).id())
            .isEqualTo(WEB);
      }
    }
  }

  @Test
  @DisplayName("B004 of two roots in the last element none is presented to peers")
  void rootsAreNotPresented() {
    TestAuthority coming = TestAuthority.root("coming", fixture.time.clock());
    ca.signer((request, lifetime) -> withSecondRoot(ca.sign(request, lifetime), coming));

    try (IstioCaSource source = started()) {
      assertThat(source.current().svid().chain()).hasSize(1);
    }
  }

  @Test
  @DisplayName("B005 leaf and intermediate in one element are taken apart")
  void bundledFirst() {
    TestAuthority below = fixture.mesh.intermediate("below", 0);
    ca.signer(
        (request, lifetime) ->
            List.of(
                PemTexts.certificates(
                    below
                        .leaf()
                        .uri(request.id().toString())
                        .key(new KeyPair(request.key(), null))
                        .issue()
                        .chain()),
                PemTexts.certificate(fixture.mesh.certificate())));

    try (IstioCaSource source = started()) {
      assertThat(source.current().svid().chain())
          .hasSize(2)
          .element(1)
          .isEqualTo(below.certificate());
    }
  }

  @ParameterizedTest(name = "CP-57 {0}")
  @CsvSource({
    "UNAUTHENTICATED, request authenticate failure, UNAUTHENTICATED",
    "INVALID_ARGUMENT, CSR sign error, REQUEST_REFUSED",
    "INVALID_ARGUMENT, requested TTL too long, REQUEST_REFUSED",
    "INTERNAL, CA not ready, UNAVAILABLE",
    "UNAVAILABLE, draining, UNAVAILABLE"
  })
  @DisplayName("CP-57 the codes of a refusal, with the authority's own words")
  void codes(Status.Code code, String text, NotIssued.Problem expected) {
    ca.fails(code.toStatus().withDescription(text));

    try (IstioCaSource source = started()) {
      assertThat(reason(source)).isEqualTo(expected);
      assertThat(source.health().lastError())
          .contains(code.name(), text, WEB.toString(), ca.address().substring("https://".length()));
    }
  }

  @Test
  @DisplayName("CP-58 a life cut to the signer's own is what the renewal goes by")
  void clampedLife() {
    ca.signer((request, lifetime) -> ca.sign(request, Duration.ofMinutes(10)));

    try (IstioCaSource source = started()) {
      IdentitySnapshot first = source.current();
      fixture.time.elapse(Duration.ofMinutes(6));

      assertThat(source.current().version()).isGreaterThan(first.version());
    }
  }

  @Test
  @DisplayName("CP-59 a request that the signer will not sign is not sent again within a minute")
  void refusedRequest() {
    ca.fails(Status.INVALID_ARGUMENT.withDescription("CSR has another extension"));

    try (IstioCaSource source = started()) {
      fixture.time.elapse(Duration.ofSeconds(59));
      assertThat(ca.asked()).hasSize(1);

      fixture.time.elapse(Duration.ofSeconds(2));
      assertThat(ca.asked()).hasSize(2);
      assertThat(reason(source)).isEqualTo(NotIssued.Problem.REQUEST_REFUSED);
    }
  }

  @Test
  @DisplayName(
      "ID-057 a life beyond the authority's limit is its error, and not asked for in a storm")
  void lifeTooLong() {
    try (IstioCaSource source = fixture.source().lifetime(Duration.ofDays(91)).build()) {
      fixture.time.elapse(Duration.ofSeconds(59));

      assertThat(ca.asked()).hasSize(1);
      assertThat(source.health().lastError()).contains("TTL too long");
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.STARTING);
    }
  }

  private static List<String> withSecondRoot(List<String> chain, TestAuthority second) {
    int last = chain.size() - 1;
    chain.set(last, chain.get(last) + PemTexts.certificate(second.certificate()));
    return chain;
  }

  private IstioCaSource started() {
    IstioCaSource source = fixture.source().build();
    fixture.settle();
    return source;
  }

  private NotIssued.Problem refusal() {
    try (IstioCaSource source = started()) {
      return reason(source);
    }
  }

  private static NotIssued.Problem reason(IstioCaSource source) {
    return assertThatThrownBy(source::current)
        .isInstanceOf(IdentityException.Unavailable.class)
        .cause()
        .asInstanceOf(type(NotIssued.class))
        .actual()
        .problem();
  }
}
