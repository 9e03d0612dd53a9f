// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.net.Inet4Address;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** An authority is refused as one, or its wire form reads as the same again. */
class AuthorityFuzzTest {

  static Stream<String> kept() throws Exception {
    try (var in = AuthorityFuzzTest.class.getResourceAsStream("/hbone/authorities.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.substring(0, line.lastIndexOf('|')));
    }
  }

  @MethodSource("kept")
  @FuzzTest
  void parse(@NotNull String text) throws UnknownHostException {
    Authority authority;
    try {
      authority = Authority.parse(text);
    } catch (InvalidAuthorityException e) {
      return;
    }
    String wire = authority.toString();
    assertThat(Authority.parse(wire)).isEqualTo(authority).hasSameHashCodeAs(authority);
    assertThat(wire).isPrintable().isASCII().isEqualTo(wire.toLowerCase());
    assertThat(wire).endsWith(":" + authority.port());
    if (authority instanceof Authority.Ip ip) {
      boolean bracketed = wire.startsWith("[");
      assertThat(bracketed).isEqualTo(!(ip.address() instanceof Inet4Address));
      assertThat(new Authority.Ip(ip.address(), ip.port())).isEqualTo(authority);
    }
  }
}
