// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.IdentityException;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.X509Svid;
import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.identity.internal.x509.PeerValidator;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.KeyKind;
import io.heddle.testing.PemTexts;
import io.heddle.testing.TestAuthority;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IssuedChainTest {

  private static final Clock CLOCK = Clock.systemUTC();
  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";

  private static final TestAuthority ROOT_A = TestAuthority.root("A", CLOCK);
  private static final TestAuthority ROOT_B = TestAuthority.root("B", CLOCK);
  private static final TestAuthority INTERMEDIATE = ROOT_A.intermediate("I", 1);
  private static final TestAuthority SECOND = INTERMEDIATE.intermediate("J", 0);
  private static final IssuedCertificate LEAF = SECOND.leaf(WEB);

  private static final Map<String, X509Certificate> NAMED =
      Map.of(
          "A", ROOT_A.certificate(),
          "B", ROOT_B.certificate(),
          "I", INTERMEDIATE.certificate(),
          "J", SECOND.certificate(),
          "L", LEAF.certificate());

  /** Elements are parted by commas; "+" joins certificates within one element. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          plain;              L,A;       '';    A
          with-intermediate;  L,I,A;     I;     A
          two-roots-last;     L,I,A+B;   I;     A,B
          bundled-first;      L+I,A;     I;     A
          two-intermediates;  L,J,I,A;   J,I;   A
          everything-in-one;  L+I+A;     I;     A
          duplicate-root;     L,A,A;     '';    A
          roots-apart;        L,I,A,B;   I;     A,B
          repeated-chain;     L,I+A,A;   I;     A
          """)
  @DisplayName("the shapes of answers")
  void shapes(String name, String answer, String intermediates, String roots) throws Exception {
    IssuedChain chain = IssuedChain.of(elements(answer));

    assertThat(chain.leaf()).isEqualTo(LEAF.certificate());
    assertThat(chain.intermediates()).isEqualTo(certificates(intermediates));
    assertThat(chain.roots()).containsExactlyElementsOf(certificates(roots));
    assertThat(chain.hasSelfSignedRoot()).isTrue();
  }

  @Test
  @DisplayName("B004 every root in the last element is an anchor, and none is presented")
  void severalRootsInTheLastElement() throws Exception {
    IssuedChain chain = IssuedChain.of(elements("L,J,I,A+B"));

    assertThat(chain.presented()).isEqualTo(certificates("L,J,I"));
    assertThat(chain.intermediates()).isEqualTo(certificates("J,I"));
    assertThat(chain.roots()).containsExactlyElementsOf(certificates("A,B"));
    accept(LEAF, chain);
    accept(ROOT_B.intermediate("I2", 0).leaf("spiffe://mesh.test/ns/shop/sa/peer"), chain);
    IssuedCertificate stranger =
        TestAuthority.root("C", CLOCK).leaf("spiffe://mesh.test/ns/shop/sa/stranger");
    assertThatThrownBy(() -> accept(stranger, chain)).isInstanceOf(PeerRejectedException.class);
  }

  @ParameterizedTest(name = "B005 several certificates in one element, {0}, are all found")
  @CsvSource({"plain", "CRLF", "leading comments", "no final newline", "byte order mark"})
  void severalCertificatesInOneElement(String form) throws Exception {
    List<String> elements =
        elements("L+J+I,A").stream()
            .map(
                text ->
                    switch (form) {
                      case "CRLF" -> text.replace("\n", "\r\n");
                      case "leading comments" ->
                          "# issued today\n" + text.replace("-----BEGIN", "s:/CN=x\n-----BEGIN");
                      case "no final newline" -> text.stripTrailing();
                      case "byte order mark" -> "\uFEFF" + text;
                      default -> text;
                    })
            .toList();

    IssuedChain chain = IssuedChain.of(elements);

    assertThat(chain.presented()).isEqualTo(certificates("L,J,I"));
    assertThat(chain.roots()).containsExactlyElementsOf(certificates("A"));
  }

  @Test
  @DisplayName("an answer that ends with an intermediate trusts that one, and shows it")
  void intermediateLast() throws Exception {
    IssuedChain chain = IssuedChain.of(elements("L,J,I"));

    assertThat(chain.roots()).containsExactlyElementsOf(certificates("I"));
    assertThat(chain.presented()).isEqualTo(certificates("L,J"));
    assertThat(chain.hasSelfSignedRoot()).isFalse();
  }

  @Test
  @DisplayName("a certificate that is only named like its issuer is not a root")
  void selfIssuedIsNotSelfSigned() throws Exception {
    X509Certificate namesake = ROOT_A.intermediate("A", 0).certificate();

    IssuedChain chain =
        IssuedChain.of(
            List.of(
                PemTexts.certificate(LEAF.certificate()),
                PemTexts.certificate(namesake),
                PemTexts.certificate(ROOT_A.certificate())));

    assertThat(chain.intermediates()).containsExactly(namesake);
  }

  @Test
  @DisplayName("an answer without certificates, without a root, or with garbage is an error")
  void unusableAnswers() {
    assertThatThrownBy(() -> IssuedChain.of(List.of()))
        .hasMessage("the answer holds no certificate");
    assertThatThrownBy(() -> IssuedChain.of(elements("L+I")))
        .hasMessage("the answer holds no root certificate");
    List<String> garbage = new ArrayList<>(elements("L,A"));
    garbage.set(1, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertThatThrownBy(() -> IssuedChain.of(garbage))
        .hasMessageContaining("element 2 of the answer")
        .hasMessageContaining("certificate 1 cannot be parsed");
  }

  @Test
  @DisplayName("a leaf for another key than was asked for does not become an SVID")
  void otherKey() throws Exception {
    IssuedChain chain = IssuedChain.of(elements("L,J,I,A"));

    assertThatThrownBy(() -> X509Svid.of(chain.presented(), KeyKind.P256.generate().getPrivate()))
        .isInstanceOf(IdentityException.InvalidSvid.class);
    assertThatCode(() -> X509Svid.of(chain.presented(), LEAF.privateKey()))
        .doesNotThrowAnyException();
  }

  private static void accept(IssuedCertificate peer, IssuedChain chain)
      throws PeerRejectedException {
    TrustBundle bundle = TrustBundle.of(TrustDomain.parse("mesh.test"), chain.roots());
    new PeerValidator(CLOCK)
        .validate(
            peer.chain().toArray(X509Certificate[]::new), TrustBundles.of(bundle), PeerRole.SERVER);
  }

  private static List<String> elements(String shape) {
    return Arrays.stream(shape.split(","))
        .map(
            element ->
                Arrays.stream(element.split("\\+"))
                    .map(name -> PemTexts.certificate(NAMED.get(name)))
                    .collect(Collectors.joining()))
        .toList();
  }

  private static List<X509Certificate> certificates(String names) {
    return names.isEmpty() ? List.of() : Arrays.stream(names.split(",")).map(NAMED::get).toList();
  }
}
