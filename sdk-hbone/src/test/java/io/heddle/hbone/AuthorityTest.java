// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AuthorityTest {

  static Stream<Arguments> authorities() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    AuthorityTest.class.getResourceAsStream("/hbone/authorities.txt")),
                StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Arguments.of((Object[]) line.split("\\|", -1)))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest(name = "B045 \"{0}\" is {1}")
  @MethodSource("authorities")
  void reads(String text, String expected) throws IOException {
    if (expected.equals("bad")) {
      assertThatThrownBy(() -> Authority.parse(text)).isInstanceOf(InvalidAuthorityException.class);
      return;
    }
    String[] words = expected.split(" ");
    Authority authority = Authority.parse(text);
    if (words[1].equals("name")) {
      assertThat(authority).isEqualTo(new Authority.Name(words[2], Integer.parseInt(words[3])));
    } else {
      assertThat(authority)
          .isEqualTo(new Authority.Ip(InetAddress.getByName(words[1]), Integer.parseInt(words[2])));
    }
    assertThat(Authority.parse(authority.toString())).isEqualTo(authority);
  }

  @Test
  @DisplayName("an authority of 4 KiB is refused, and not repeated in the message")
  void veryLong() {
    assertThatThrownBy(() -> Authority.parse("a".repeat(4096) + ":80"))
        .isInstanceOf(InvalidAuthorityException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  @DisplayName("IPv6 is written in brackets and in its short form (RFC 5952)")
  void ipv6Text() {
    assertThat(Authority.parse("[2001:DB8:0:0:1:0:0:1]:80")).hasToString("[2001:db8::1:0:0:1]:80");
    assertThat(Authority.parse("[0:0:0:0:0:0:0:1]:80")).hasToString("[::1]:80");
    assertThat(Authority.parse("[0:0:0:0:0:0:0:0]:80")).hasToString("[::]:80");
    assertThat(Authority.parse("[1:0:2:3:4:5:6:0]:80")).hasToString("[1:0:2:3:4:5:6:0]:80");
    assertThat(Authority.parse("[fe80::]:80")).hasToString("[fe80::]:80");
  }

  @Test
  @DisplayName("control characters of a bad authority do not reach the message")
  void controlCharacters() {
    assertThatThrownBy(() -> Authority.parse("evil\r\nlog line:80"))
        .hasMessageContaining("evil??log line:80");
  }
}
