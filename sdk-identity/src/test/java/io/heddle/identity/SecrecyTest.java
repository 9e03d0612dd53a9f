// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.testing.KeyKind;
import io.heddle.testing.TestPki;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecrecyTest {

  private static final String ID = "spiffe://cluster.local/ns/shop/sa/web";
  private static final TestPki PKI = TestPki.create("cluster.local");
  private static final KeyPair KEYS = KeyKind.P256.generate();

  static Stream<Object> holdersOfSecrets() {
    X509Svid svid = PKI.root().leaf().uri(ID).key(KEYS).issue().svid();
    return Stream.of(svid, PKI.snapshot(svid, PKI.bundles()));
  }

  /** The forms in which a key is usually leaked. */
  private static List<String> formsOfTheKey() {
    byte[] pkcs8 = KEYS.getPrivate().getEncoded();
    byte[] scalar = ((ECPrivateKey) KEYS.getPrivate()).getS().toByteArray();
    return List.of(
        Base64.getEncoder().encodeToString(scalar).substring(4, 36),
        Base64.getEncoder().encodeToString(pkcs8).substring(44, 84),
        HexFormat.of().formatHex(scalar),
        ((ECPrivateKey) KEYS.getPrivate()).getS().toString(),
        "private");
  }

  @ParameterizedTest(name = "ID-091 no text form holds the key: {0}")
  @MethodSource("holdersOfSecrets")
  void textHoldsNoKey(Object holder) {
    String text = holder.toString().toLowerCase(Locale.ROOT);

    assertThat(formsOfTheKey())
        .allSatisfy(form -> assertThat(text).doesNotContain(form.toLowerCase(Locale.ROOT)));
    assertThat(text).contains(ID);
  }

  @ParameterizedTest(name = "ID-091 Java serialisation is refused: {0}")
  @MethodSource("holdersOfSecrets")
  void serialisationIsRefused(Object holder) throws Exception {
    assertThat(holder).isNotInstanceOf(Serializable.class);
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      assertThatExceptionOfType(NotSerializableException.class)
          .isThrownBy(() -> out.writeObject(holder));
    }
  }

  @ParameterizedTest(name = "ID-091 no bean getter offers the key to a JSON mapper: {0}")
  @MethodSource("holdersOfSecrets")
  void noGetter(Object holder) {
    assertThat(holder.getClass().getMethods())
        .filteredOn(method -> method.getDeclaringClass() != Object.class)
        .noneMatch(method -> method.getName().startsWith("get"));
    assertThat(holder.getClass().getFields()).isEmpty();
  }

  @Test
  @DisplayName("ID-091 the exception about a key that does not match holds no key")
  void exceptionHoldsNoKey() {
    Throwable mismatch = catchThrowable(() -> X509Svid.of(PKI.svid(ID).chain(), KEYS.getPrivate()));

    StringWriter text = new StringWriter();
    mismatch.printStackTrace(new PrintWriter(text));

    assertThat(mismatch).isInstanceOf(IdentityException.InvalidSvid.class);
    assertThat(formsOfTheKey().subList(0, 4))
        .allSatisfy(form -> assertThat(text.toString()).doesNotContain(form));
  }
}
