// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.TrustBundles;
import io.heddle.testing.CertificateRecipe;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.KeyKind;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The recipes of {@code cert-matrix.yaml}; the file says what is wanted of each. */
class CertMatrixTest {

  private static final String ID = "spiffe://mesh.test/ns/shop/sa/web";
  private static final Pattern RECIPE =
      Pattern.compile("- \\{id: ([\\w-]+),.*?want: (\"[^\"]*\"|\\w+)");

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

  private final TestPki pki = TestPki.create("mesh.test", CLOCK);
  private final TestAuthority root = pki.root();

  static Stream<Arguments> recipes() throws IOException {
    try (InputStream in = CertMatrixTest.class.getResourceAsStream("/identity/cert-matrix.yaml")) {
      Matcher recipe = RECIPE.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      List<Arguments> found = new ArrayList<>();
      while (recipe.find()) {
        found.add(Arguments.of(recipe.group(1), recipe.group(2).replace("\"", "")));
      }
      assertThat(found).hasSize(26);
      return found.stream();
    }
  }

  @ParameterizedTest(name = "cert-matrix {0}: {1}")
  @MethodSource("recipes")
  void asTheFileWants(String recipe, String want) {
    PeerRejectedException asServer = verdict(recipe, PeerRole.SERVER);
    PeerRejectedException asClient = verdict(recipe, PeerRole.CLIENT);

    switch (want) {
      // In the wrong order a path can still be built, so the leaf is believed.
      case "yes", "documented" ->
          assertThat(List.of(asServer == null, asClient == null)).containsExactly(true, true);
      case "no" ->
          assertThat(List.of(asServer != null, asClient != null)).containsExactly(true, true);
      case "as server yes, as client no" -> {
        assertThat(asServer).isNull();
        assertThat(asClient).isNotNull();
      }
      case "no; message hints at clock skew" -> {
        assertThat(asServer).hasMessageContaining("check the clocks");
        assertThat(asClient).hasMessageContaining("check the clocks");
      }
      default -> throw new AssertionError("unknown wish: " + want);
    }
  }

  private PeerRejectedException verdict(String recipe, PeerRole role) {
    Certificate[] chain = chain(recipe).toArray(new Certificate[0]);
    TrustBundles bundles = pki.bundles();
    return catchThrowableOfType(
        PeerRejectedException.class, () -> new PeerValidator(CLOCK).validate(chain, bundles, role));
  }

  private List<X509Certificate> chain(String recipe) {
    TestAuthority int1 = root.intermediate("int1", 0);
    X509Certificate anchor = root.certificate();
    return switch (recipe) {
      case "expired-intermediate" -> {
        TestAuthority expired = root.intermediate("int", -1, CLOCK.instant().minusSeconds(1));
        yield with(expired.leaf(ID).chain(), anchor);
      }
      case "pathlen" -> with(int1.intermediate("int2", -1).leaf(ID).chain(), anchor);
      case "missing-int" -> List.of(int1.leaf(ID).certificate());
      case "extra-certs" ->
          with(int1.leaf(ID).chain(), TestAuthority.root("unrelated", CLOCK).certificate(), anchor);
      case "wrong-order" -> List.of(int1.leaf(ID).certificate(), anchor, int1.certificate());
      case "self-signed" ->
          root.leaf().uri("spiffe://mesh.test/ns/kube-system/sa/admin").selfSign().chain();
      default -> leaf(recipe).chain();
    };
  }

  private static List<X509Certificate> with(List<X509Certificate> chain, X509Certificate... more) {
    List<X509Certificate> all = new ArrayList<>(chain);
    all.addAll(List.of(more));
    return all;
  }

  private IssuedCertificate leaf(String recipe) {
    CertificateRecipe named = root.leaf().uri(ID);
    CertificateRecipe nameless = root.leaf();
    return switch (recipe) {
      case "good" -> named.issue();
      case "good-plus-dns" -> named.dns("web.shop.svc").ip("127.0.0.1").issue();
      case "with-other-name" -> named.otherName((byte) 1, (byte) 2, (byte) 3).issue();
      case "critical-san-empty-subject" -> named.subject("").criticalNames().issue();
      case "rsa-2048" -> named.key(KeyKind.RSA_2048).issue();
      case "p-384" -> named.key(KeyKind.P384).issue();
      case "no-san" -> nameless.noSubjectAlternativeNames().issue();
      case "empty-san" -> nameless.issue();
      case "dns-only" -> nameless.dns("web.shop.svc").issue();
      case "two-uris" -> named.uri("spiffe://mesh.test/ns/a/sa/b").issue();
      case "https-and-id" -> nameless.uri("https://example.test/x").uri(ID).issue();
      case "bad-path" -> nameless.uri("spiffe://mesh.test/ns/shop/sa/bad path").issue();
      case "td-only" -> nameless.uri("spiffe://mesh.test").issue();
      case "foreign-td" -> nameless.uri("spiffe://partner.test/ns/shop/sa/web").issue();
      case "ca-true-leaf" -> named.authority(-1).issue();
      case "key-cert-sign" ->
          named.keyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign).issue();
      case "no-digital-sig" -> named.keyUsage(KeyUsage.keyEncipherment).issue();
      case "server-auth-only" -> named.purposes(KeyPurposeId.id_kp_serverAuth).issue();
      case "expired" -> named.notAfter(CLOCK.instant().minusSeconds(1)).issue();
      case "not-yet" -> named.notBefore(CLOCK.instant().plusSeconds(60)).issue();
      default -> throw new AssertionError("no recipe for " + recipe);
    };
  }
}
