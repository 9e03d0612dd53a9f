// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static io.heddle.identity.InvalidSpiffeIdException.Reason.BAD_PATH_CHAR;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.BAD_TD_CHAR;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.DOT_SEGMENT;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.EMPTY;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.EMPTY_SEGMENT;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.NO_TRUST_DOMAIN;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.TD_TOO_LONG;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.TOO_LONG;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.TRAILING_SLASH;
import static io.heddle.identity.InvalidSpiffeIdException.Reason.WRONG_SCHEME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.InvalidSpiffeIdException.Reason;
import io.heddle.identity.internal.text.Printable;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The parser vectors of the identity reference, section 1.2, by their numbers. */
class SpiffeIdVectorsTest {

  private static final Reason OK = null;
  private static final String A255 = "a".repeat(255);

  record Vector(int row, String input, Reason reason) {

    @Override
    public String toString() {
      String verdict = reason == null ? "OK" : reason.name();
      return row + " '" + Printable.escape(input) + "' " + verdict;
    }
  }

  static List<Vector> vectors() {
    return List.of(
        new Vector(1, "spiffe://example.org", OK),
        new Vector(2, "spiffe://example.org/a", OK),
        new Vector(3, "spiffe://example.org/ns/default/sa/default", OK),
        new Vector(4, "spiffe://a", OK),
        new Vector(5, "spiffe://1.2.3.4/x", OK),
        new Vector(6, "spiffe://trust_domain-1.example/x", OK),
        new Vector(7, "spiffe://-./x", OK),
        new Vector(8, "spiffe://./x", OK),
        new Vector(9, "spiffe://../x", OK),
        new Vector(10, "spiffe://_/x", OK),
        new Vector(11, "spiffe://example.org/.a", OK),
        new Vector(12, "spiffe://example.org/...", OK),
        new Vector(13, "spiffe://example.org/..a", OK),
        new Vector(14, "spiffe://example.org/a.", OK),
        new Vector(15, "spiffe://example.org/A_b-C.9", OK),
        new Vector(16, "spiffe://xn--80ak6aa92e.com/x", OK),
        new Vector(17, "spiffe://" + A255 + "/x", OK),
        new Vector(18, ofLength(2048), OK),
        new Vector(19, "", EMPTY),
        new Vector(20, "   ", WRONG_SCHEME),
        new Vector(21, "spiffe", WRONG_SCHEME),
        new Vector(22, "spiffe:", WRONG_SCHEME),
        new Vector(23, "spiffe:/", WRONG_SCHEME),
        new Vector(24, "spiffe:/example.org/a", WRONG_SCHEME),
        new Vector(25, "spiffe://", NO_TRUST_DOMAIN),
        new Vector(26, "spiffe:///", NO_TRUST_DOMAIN),
        new Vector(27, "spiffe:///a", NO_TRUST_DOMAIN),
        new Vector(28, "example.org/a", WRONG_SCHEME),
        new Vector(29, "/a", WRONG_SCHEME),
        new Vector(30, "http://example.org/a", WRONG_SCHEME),
        new Vector(31, "SPIFFE://example.org/a", WRONG_SCHEME),
        new Vector(32, "Spiffe://example.org/a", WRONG_SCHEME),
        new Vector(33, "spiffe://Example.org/a", BAD_TD_CHAR),
        new Vector(34, "spiffe://EXAMPLE.ORG", BAD_TD_CHAR),
        new Vector(35, "spiffe://example.org/", TRAILING_SLASH),
        new Vector(36, "spiffe://example.org//", EMPTY_SEGMENT),
        new Vector(37, "spiffe://example.org//a", EMPTY_SEGMENT),
        new Vector(38, "spiffe://example.org/a/", TRAILING_SLASH),
        new Vector(39, "spiffe://example.org/a//b", EMPTY_SEGMENT),
        new Vector(40, "spiffe://example.org/.", DOT_SEGMENT),
        new Vector(41, "spiffe://example.org/..", DOT_SEGMENT),
        new Vector(42, "spiffe://example.org/./a", DOT_SEGMENT),
        new Vector(43, "spiffe://example.org/a/../b", DOT_SEGMENT),
        new Vector(44, "spiffe://example.org/a/.", DOT_SEGMENT),
        new Vector(45, "spiffe://example.org/a%20b", BAD_PATH_CHAR),
        new Vector(46, "spiffe://example.org/%61", BAD_PATH_CHAR),
        new Vector(47, "spiffe://%61.org/a", BAD_TD_CHAR),
        new Vector(48, "spiffe://example.org/a?b=c", BAD_PATH_CHAR),
        new Vector(49, "spiffe://example.org/a#f", BAD_PATH_CHAR),
        new Vector(50, "spiffe://example.org?b", BAD_TD_CHAR),
        new Vector(51, "spiffe://example.org#f", BAD_TD_CHAR),
        new Vector(52, "spiffe://user@example.org/a", BAD_TD_CHAR),
        new Vector(53, "spiffe://example.org:443/a", BAD_TD_CHAR),
        new Vector(54, "spiffe://[::1]/a", BAD_TD_CHAR),
        new Vector(55, "spiffe://exa mple.org/a", BAD_TD_CHAR),
        new Vector(56, "spiffe://example.org/a b", BAD_PATH_CHAR),
        new Vector(57, " spiffe://example.org/a", WRONG_SCHEME),
        new Vector(58, "spiffe://example.org/a ", BAD_PATH_CHAR),
        new Vector(59, "spiffe://example.org/a\n", BAD_PATH_CHAR),
        new Vector(60, "spiffe://example.org\n/a", BAD_TD_CHAR),
        new Vector(61, "spiffe://example.org/a\0", BAD_PATH_CHAR),
        new Vector(62, "spiffe://example.org/a:b", BAD_PATH_CHAR),
        new Vector(63, "spiffe://example.org/a@b", BAD_PATH_CHAR),
        new Vector(64, "spiffe://example.org/a~b", BAD_PATH_CHAR),
        new Vector(65, "spiffe://example.org/a+b", BAD_PATH_CHAR),
        new Vector(66, "spiffe://example.org/a*", BAD_PATH_CHAR),
        new Vector(67, "spiffe://example.org/a\\b", BAD_PATH_CHAR),
        new Vector(68, "spiffe://example\\.org/a", BAD_TD_CHAR),
        new Vector(69, "spiffe://ex\u00E4mple.org/a", BAD_TD_CHAR),
        new Vector(70, "spiffe://example.org/\u00E4", BAD_PATH_CHAR),
        new Vector(71, "spiffe://\u212Aube.local/a", BAD_TD_CHAR),
        new Vector(72, "spiffe://\u0130.org/a", BAD_TD_CHAR),
        new Vector(73, "spiffe://example.org/\uFF0Fa", BAD_PATH_CHAR),
        new Vector(74, "spiffe://example.org/a://b", BAD_PATH_CHAR),
        new Vector(75, "x://spiffe://example.org/a", WRONG_SCHEME),
        new Vector(76, "spiffe://" + A255 + "a/x", TD_TOO_LONG),
        new Vector(77, ofLength(2049), TOO_LONG));
  }

  private static String ofLength(int length) {
    String start = "spiffe://example.org/";
    return start + "a".repeat(length - start.length());
  }

  @ParameterizedTest(name = "parser vector {0}")
  @MethodSource("vectors")
  void strictVerdict(Vector vector) {
    if (vector.reason() == null) {
      assertThat(SpiffeId.parse(vector.input())).hasToString(vector.input());
      return;
    }

    InvalidSpiffeIdException invalid =
        catchThrowableOfType(InvalidSpiffeIdException.class, () -> SpiffeId.parse(vector.input()));

    assertThat(invalid).as("accepted").isNotNull();
    assertThat(invalid.reason()).isEqualTo(vector.reason());
    assertThat(invalid.getMessage()).matches("[ -~]+");
  }

  static List<Vector> trustDomains() {
    return List.of(
        new Vector(1, "example.org", OK),
        new Vector(2, "spiffe://example.org", OK),
        new Vector(3, "spiffe://example.org/x", OK),
        new Vector(4, "Example.org", BAD_TD_CHAR),
        new Vector(5, "example.org/", BAD_TD_CHAR),
        new Vector(6, "example.org:80", BAD_TD_CHAR),
        new Vector(7, "", NO_TRUST_DOMAIN),
        new Vector(8, "spiffe:/x", WRONG_SCHEME),
        new Vector(9, "spiffe://example.org/", TRAILING_SLASH),
        new Vector(10, A255 + "a", TD_TOO_LONG));
  }

  @ParameterizedTest(name = "trust domain vector {0}")
  @MethodSource("trustDomains")
  void trustDomainVerdict(Vector vector) {
    if (vector.reason() == null) {
      assertThat(TrustDomain.parse(vector.input()).name()).isEqualTo("example.org");
      return;
    }

    InvalidSpiffeIdException invalid =
        catchThrowableOfType(
            InvalidSpiffeIdException.class, () -> TrustDomain.parse(vector.input()));

    assertThat(invalid).as("accepted").isNotNull();
    assertThat(invalid.reason()).isEqualTo(vector.reason());
  }
}
