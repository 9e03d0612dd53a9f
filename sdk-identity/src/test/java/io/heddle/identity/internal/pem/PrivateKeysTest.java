// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.internal.x509.KeyMatch;
import io.heddle.testing.KeyKind;
import io.heddle.testing.PemTexts;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PrivateKeysTest {

  private static final KeyPair EC = KeyKind.P256.generate();
  private static final KeyPair RSA = KeyKind.RSA_2048.generate();
  private static final KeyPair ED25519 = KeyKind.ED25519.generate();

  static Stream<Arguments> forms() throws Exception {
    String sec1 = PemTexts.bare(EC.getPrivate());
    String parameters =
        PemTexts.block("EC PARAMETERS", SECObjectIdentifiers.secp256r1.getEncoded());
    return Stream.of(
        Arguments.of("PKCS#8 EC", EC, PemTexts.pkcs8(EC.getPrivate())),
        Arguments.of("PKCS#8 RSA", RSA, PemTexts.pkcs8(RSA.getPrivate())),
        Arguments.of("PKCS#8 Ed25519", ED25519, PemTexts.pkcs8(ED25519.getPrivate())),
        Arguments.of("SEC1", EC, withCurve()),
        Arguments.of("SEC1 after EC PARAMETERS", EC, parameters + withCurve()),
        Arguments.of("SEC1 whose curve only EC PARAMETERS names", EC, parameters + sec1),
        Arguments.of("PKCS#1", RSA, PemTexts.bare(RSA.getPrivate())),
        Arguments.of("CRLF", EC, PemTexts.pkcs8(EC.getPrivate()).replace("\n", "\r\n")),
        Arguments.of("leading comments", EC, "# key of web\n\n" + PemTexts.pkcs8(EC.getPrivate())),
        Arguments.of("byte order mark", EC, "\uFEFF" + PemTexts.pkcs8(EC.getPrivate())),
        Arguments.of("no final newline", EC, PemTexts.pkcs8(EC.getPrivate()).stripTrailing()));
  }

  @ParameterizedTest(name = "ID-069 {0} is read")
  @MethodSource("forms")
  void everyForm(String form, KeyPair pair, String text) throws Exception {
    PrivateKey key = PrivateKeys.read(parse(text));

    assertThat(KeyMatch.matches(pair.getPublic(), key)).isTrue();
  }

  @ParameterizedTest(name = "ID-069 encrypted as {0} is an error that says so")
  @MethodSource("encrypted")
  void encrypted(String form, String text) throws Exception {
    List<PemBlock> blocks = parse(text);

    assertThatThrownBy(() -> PrivateKeys.read(blocks))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("encrypted with a password");
  }

  static Stream<Arguments> encrypted() {
    String legacy =
        PemTexts.bare(RSA.getPrivate())
            .replace(
                "KEY-----\nM",
                "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF\n\nM");
    return Stream.of(
        Arguments.of("PKCS#8", PemTexts.block("ENCRYPTED PRIVATE KEY", new byte[100])),
        Arguments.of("the older form", legacy));
  }

  @Test
  @DisplayName("ID-092 the decoded key is overwritten when it has been read")
  void wipedAfterSuccess() throws Exception {
    List<PemBlock> blocks =
        parse(PemTexts.pkcs8(EC.getPrivate()) + PemTexts.block("CERTIFICATE", new byte[] {1}));

    PrivateKeys.read(blocks);

    assertThat(blocks.get(0).der()).hasSizeGreaterThan(30).containsOnly(0);
    assertThat(blocks.get(1).der()).containsExactly(1);
  }

  @Test
  @DisplayName("ID-092 the decoded key is overwritten when it cannot be read, every one of them")
  void wipedAfterFailure() throws Exception {
    String spoilt = PemTexts.block("PRIVATE KEY", new byte[] {48, 3, 2, 1, 9});
    List<PemBlock> one = parse(spoilt);
    List<PemBlock> two = parse(PemTexts.pkcs8(EC.getPrivate()) + spoilt);

    assertThatThrownBy(() -> PrivateKeys.read(one))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("not a valid key");
    assertThatThrownBy(() -> PrivateKeys.read(two))
        .isInstanceOf(PemException.class)
        .hasMessage("more than one private key");

    assertThat(one.get(0).der()).containsOnly(0);
    assertThat(two).allSatisfy(block -> assertThat(block.der()).containsOnly(0));
  }

  @Test
  @DisplayName("no error quotes what it read")
  void errorsKeepSecrets() throws Exception {
    List<PemBlock> blocks =
        parse(PemTexts.block("EC PRIVATE KEY", "secret".getBytes(StandardCharsets.US_ASCII)));

    assertThatThrownBy(() -> PrivateKeys.read(blocks))
        .hasNoCause()
        .message()
        .doesNotContain("secret");
  }

  @Test
  @DisplayName("no key, an unknown kind of key, and a curve that is not named are told apart")
  void unusable() throws Exception {
    assertThatThrownBy(() -> PrivateKeys.read(List.of())).hasMessage("no private key block");
    List<PemBlock> dsa = parse(PemTexts.block("DSA PRIVATE KEY", new byte[] {48, 0}));
    assertThatThrownBy(() -> PrivateKeys.read(dsa)).hasMessage("unsupported block DSA PRIVATE KEY");
    List<PemBlock> nameless = parse(PemTexts.bare(EC.getPrivate()));
    assertThatThrownBy(() -> PrivateKeys.read(nameless))
        .hasMessageContaining("does not name its curve");
  }

  /** SEC1 as OpenSSL writes it: the JDK leaves the name of the curve to the PKCS#8 wrapper. */
  private static String withCurve() throws Exception {
    ECPrivateKey bare =
        ECPrivateKey.getInstance(parse(PemTexts.bare(EC.getPrivate())).get(0).der());
    return PemTexts.block(
        "EC PRIVATE KEY",
        new ECPrivateKey(256, bare.getKey(), SECObjectIdentifiers.secp256r1).getEncoded());
  }

  private static List<PemBlock> parse(String text) throws PemException {
    return PemBlocks.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
