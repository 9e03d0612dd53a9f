// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.PemTexts;
import io.heddle.testing.TestPki;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class CertificatesTest {

  private static final X509Certificate A = TestPki.create("mesh.test").root().certificate();
  private static final X509Certificate B = TestPki.create("mesh.test").root().certificate();
  private static final String BROKEN = PemTexts.block("CERTIFICATE", new byte[] {48, 1, 2});

  @Test
  @DisplayName("two roots in one text are both roots, and a root given twice is one")
  void severalRoots() throws Exception {
    String text = PemTexts.certificate(A) + PemTexts.certificate(B) + PemTexts.certificate(A);

    Certificates.Roots roots = Certificates.roots(parse(text));

    assertThat(roots.certificates()).containsExactly(A, B);
    assertThat(roots.skipped()).isZero();
  }

  @Test
  @DisplayName("roots that cannot be read, or are in a form of OpenSSL's own, are counted")
  void skippedRoots() throws Exception {
    String text =
        BROKEN + PemTexts.certificate(A) + PemTexts.block("TRUSTED CERTIFICATE", new byte[] {48});

    Certificates.Roots roots = Certificates.roots(parse(text));

    assertThat(roots.certificates()).containsExactly(A);
    assertThat(roots.skipped()).isEqualTo(2);
  }

  @Test
  @DisplayName("roots without a single good certificate are an error")
  void noRoots() throws Exception {
    var broken = parse(BROKEN + BROKEN);
    assertThatThrownBy(() -> Certificates.roots(broken))
        .hasMessage("none of the 2 certificates can be parsed");
    var empty = parse("nothing here");
    assertThatThrownBy(() -> Certificates.roots(empty)).hasMessage("no certificate block");
  }

  @Test
  @DisplayName("a chain with a certificate that cannot be read is an error that names it")
  void brokenChain() throws Exception {
    var blocks = parse(PemTexts.certificate(A) + BROKEN);

    assertThatThrownBy(() -> Certificates.chain(blocks))
        .hasMessage("certificate 2 cannot be parsed");
  }

  private static java.util.List<PemBlock> parse(String text) throws PemException {
    return PemBlocks.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
