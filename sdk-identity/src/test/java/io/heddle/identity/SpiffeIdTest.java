// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.identity.InvalidSpiffeIdException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpiffeIdTest {

  private static final String DOMAIN_SET = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  private static final String PATH_SET = DOMAIN_SET + "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  private static boolean parses(String text) {
    try {
      SpiffeId.parse(text);
      return true;
    } catch (InvalidSpiffeIdException e) {
      return false;
    }
  }

  @Test
  @DisplayName("of the characters 0 to 255 exactly the legal set passes in a trust domain")
  void everyCharacterInTheTrustDomain() {
    for (char c = 0; c < 256; c++) {
      assertThat(parses("spiffe://trust" + c))
          .as("U+%04X", (int) c)
          .isEqualTo(DOMAIN_SET.indexOf(c) >= 0);
    }
  }

  @Test
  @DisplayName("of the characters 0 to 255 exactly the legal set passes in a path")
  void everyCharacterInThePath() {
    for (char c = 0; c < 256; c++) {
      boolean legal = PATH_SET.indexOf(c) >= 0 || c == '/';

      assertThat(parses("spiffe://trustdomain/path" + c + "x"))
          .as("U+%04X", (int) c)
          .isEqualTo(legal);
    }
  }

  static Stream<Arguments> fileOfIds() throws IOException {
    try (InputStream in = SpiffeIdTest.class.getResourceAsStream("/identity/spiffe-ids.txt")) {
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      return lines.stream().map(line -> line.split("\\|")).map(p -> Arguments.of(p[0], p[1]));
    }
  }

  @ParameterizedTest(name = "B014 {0} is {1}")
  @MethodSource("fileOfIds")
  void idsOfTheFile(String input, String expected) {
    switch (expected) {
      case "reject" ->
          assertThatExceptionOfType(InvalidSpiffeIdException.class)
              .isThrownBy(() -> SpiffeId.parseLenient(input));
      case "reject as leaf (trust domain only)" ->
          assertThat(SpiffeId.parse(input).isTrustDomainId()).isTrue();
      // A trust domain is opaque text: that an empty label is no host name does not matter.
      case "documented" -> assertThat(SpiffeId.parse(input)).hasToString(input);
      default -> assertThat(SpiffeId.parseLenient(input)).hasToString(expected);
    }
  }

  @Test
  @DisplayName("B014 a trust domain over 255 bytes is rejected by the lenient parser too")
  void longTrustDomain() {
    String input = "SPIFFE://" + "A".repeat(256) + "/x";

    assertThatExceptionOfType(InvalidSpiffeIdException.class)
        .isThrownBy(() -> SpiffeId.parseLenient(input))
        .matches(e -> e.reason() == Reason.TD_TOO_LONG);
  }

  @Test
  @DisplayName("B014 an id over 2048 bytes is rejected by the lenient parser too")
  void longId() {
    String input = "SPIFFE://a/" + "x".repeat(2048);

    assertThatExceptionOfType(InvalidSpiffeIdException.class)
        .isThrownBy(() -> SpiffeId.parseLenient(input))
        .matches(e -> e.reason() == Reason.TOO_LONG);
  }

  @Test
  @DisplayName("ID-001 a Turkish default locale changes neither parser")
  void turkishLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));

      assertThatExceptionOfType(InvalidSpiffeIdException.class)
          .isThrownBy(() -> SpiffeId.parse("spiffe://I.org/a"));
      assertThat(SpiffeId.parseLenient("SPIFFE://I.org/a")).hasToString("spiffe://i.org/a");
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest(name = "the lenient parser folds ASCII only: {0}")
  @ValueSource(
      strings = {"spiffe://\u212Aube.local/a", "spiffe://\u0130.org/a", "\u017Fpiffe://a/b"})
  void lenientFoldsAsciiOnly(String input) {
    assertThatExceptionOfType(InvalidSpiffeIdException.class)
        .isThrownBy(() -> SpiffeId.parseLenient(input));
  }

  @Test
  @DisplayName("ID-002 ids that differ in the case of the path are different")
  void pathCase() {
    SpiffeId lower = SpiffeId.parse("spiffe://t/a");
    SpiffeId upper = SpiffeId.parse("spiffe://t/A");

    assertThat(lower).isNotEqualTo(upper).doesNotHaveSameHashCodeAs(upper);
  }

  @Test
  @DisplayName("equal texts are equal ids")
  void equality() {
    assertThat(SpiffeId.parse("spiffe://t/a"))
        .isEqualTo(SpiffeId.of(TrustDomain.parse("t"), "a"))
        .hasSameHashCodeAs(SpiffeId.parseLenient("SPIFFE://T/a"));
  }

  @Test
  @DisplayName("absent text is reported as empty")
  void absentText() {
    assertThatExceptionOfType(InvalidSpiffeIdException.class)
        .isThrownBy(() -> SpiffeId.parse(null))
        .matches(e -> e.reason() == Reason.EMPTY);
  }

  @Test
  @DisplayName("an id is built from segments, each of them checked")
  void builtFromSegments() {
    TrustDomain domain = TrustDomain.parse("t");

    assertThat(SpiffeId.of(domain)).isEqualTo(domain.id());
    assertThat(SpiffeId.of(domain, "a", "b")).hasToString("spiffe://t/a/b");
    assertThat(reasonOf(domain, "a", "")).isEqualTo(Reason.EMPTY_SEGMENT);
    assertThat(reasonOf(domain, "a/b")).isEqualTo(Reason.BAD_PATH_CHAR);
    assertThat(reasonOf(domain, "..")).isEqualTo(Reason.DOT_SEGMENT);
    assertThat(reasonOf(domain, "a b")).isEqualTo(Reason.BAD_PATH_CHAR);
    assertThat(reasonOf(domain, "a".repeat(2048))).isEqualTo(Reason.TOO_LONG);
  }

  private static Reason reasonOf(TrustDomain domain, String... segments) {
    try {
      return fail(SpiffeId.of(domain, segments));
    } catch (InvalidSpiffeIdException e) {
      return e.reason();
    }
  }

  private static Reason fail(SpiffeId built) {
    throw new AssertionError("built " + built);
  }

  @Test
  @DisplayName("appending checks the new segments")
  void appending() {
    SpiffeId namespace = SpiffeId.parse("spiffe://t/ns/shop");

    assertThat(namespace.append("sa", "web")).hasToString("spiffe://t/ns/shop/sa/web");
    assertThatExceptionOfType(InvalidSpiffeIdException.class)
        .isThrownBy(() -> namespace.append("sa", "."));
  }

  @Test
  @DisplayName("Istio's shape gives namespace and service account")
  void istioShape() {
    SpiffeId id = SpiffeId.workload(TrustDomain.parse("cluster.local"), "shop", "web");

    assertThat(id).hasToString("spiffe://cluster.local/ns/shop/sa/web");
    assertThat(id.namespace()).contains("shop");
    assertThat(id.serviceAccount()).contains("web");
    assertThat(id.trustDomain().name()).isEqualTo("cluster.local");
    assertThat(id.path()).isEqualTo("/ns/shop/sa/web");
  }

  @ParameterizedTest(name = "{0} has no namespace")
  @ValueSource(
      strings = {
        "spiffe://t",
        "spiffe://t/ns/shop",
        "spiffe://t/ns/shop/sa/web/extra",
        "spiffe://t/NS/shop/sa/web",
        "spiffe://t/ns/shop/user/web"
      })
  void otherShapes(String input) {
    assertThat(SpiffeId.parse(input).namespace()).isEmpty();
    assertThat(SpiffeId.parse(input).serviceAccount()).isEmpty();
  }
}
