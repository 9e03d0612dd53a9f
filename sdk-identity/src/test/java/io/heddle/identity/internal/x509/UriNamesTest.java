// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriNamesTest {

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  @Test
  @DisplayName("URIs are found among names of other kinds, which are skipped unread")
  void mixedNames() throws Exception {
    // dNSName "a", uniformResourceIdentifier "x:y", an otherName of arbitrary content, URI "z".
    assertThat(UriNames.read(hex("0411300f" + "820161" + "8603783a79" + "a002ffff" + "86017a")))
        .containsExactly("x:y", "z");
  }

  @Test
  @DisplayName("no extension has no URIs, and neither has an empty one")
  void none() throws Exception {
    assertThat(UriNames.read(null)).isEmpty();
    assertThat(UriNames.read(hex("04023000"))).isEmpty();
  }

  @Test
  @DisplayName("a byte outside ASCII stays one character outside ASCII")
  void notAscii() throws Exception {
    assertThat(UriNames.read(hex("04053003" + "8601e4"))).containsExactly("\u00e4");
  }

  @ParameterizedTest(name = "B012 malformed names are a rejection: {0}")
  @CsvSource({
    "no bytes,''",
    "not an octet string,05023000",
    "not a sequence,04023100",
    "bytes after the octet string,0402300000",
    "bytes after the sequence,0403300000",
    "a length beyond the end,04053003860178ff",
    "a name beyond the end,040530038605 78",
    "a tag without length,0403300186",
    "an indefinite length,0405308086007800",
    "a length of four bytes,0484000000023000",
    "a length cut off,0482",
    "a constructed URI,04063004a6028600"
  })
  void malformed(String what, String bytes) {
    byte[] extension = hex(bytes.replace(" ", ""));

    PeerRejectedException rejected =
        catchThrowableOfType(PeerRejectedException.class, () -> UriNames.read(extension));

    assertThat(rejected).as(what).isNotNull();
    assertThat(rejected.reason()).isEqualTo(PeerRejection.PARSE);
  }
}
