// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "10.1.2.3/8, 10.0.0.0/8",
    "10.1.2.3, 10.1.2.3/32",
    "10.1.2.3/0, 0.0.0.0/0",
    "10.1.2.131/25, 10.1.2.128/25",
    "2001:db8:1::1/32, 2001:db8:0:0:0:0:0:0/32",
    "::ffff:10.1.2.3/104, 10.0.0.0/8",
    "::ffff:a01:203, 10.1.2.3/32",
    "::1.2.3.4, 0:0:0:0:0:0:102:304/128",
  })
  void reads(String text, String expected) {
    assertThat(Cidr.parse(text)).hasToString(expected);
  }

  @ParameterizedTest(name = "''{0}'' is refused")
  @ValueSource(
      strings = {
        "",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/8/8",
        "10.0.0.0/8 ",
        "10.0.0/8",
        "010.0.0.0/8",
        "10.0.0.256/8",
        "2001:db8::/129",
        "2001:db8::/9999",
        "::ffff:10.0.0.0/95",
        "[::1]/128",
        "fe80::1%eth0/64",
        "localhost/8"
      })
  void refuses(String text) {
    assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "{0} contains {1}: {2}")
  @CsvSource({
    "10.0.0.0/31, 10.0.0.1, true",
    "10.0.0.0/31, 10.0.0.2, false",
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "0.0.0.0/0, 255.1.2.3, true",
    "::/0, 10.0.0.1, false",
    "0.0.0.0/0, 2001:db8::1, false",
    "::ffff:10.0.0.0/104, 10.9.9.9, true",
    "10.0.0.0/8, ::ffff:10.9.9.9, true",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
  })
  void contains(String prefix, String address, boolean expected) {
    assertThat(Cidr.parse(prefix).contains(Objects.requireNonNull(IpAddresses.parse(address))))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "ST-12 {0} bytes: {1}")
  @CsvSource({"0, false", "3, false", "4, true", "5, false", "16, true", "17, false"})
  void addressBytes(int length, boolean accepted) {
    assertThat(IpAddresses.ofBytes(new byte[length]) != null).isEqualTo(accepted);
  }

  @ParameterizedTest(name = "the literal ''{0}'' is refused")
  @ValueSource(
      strings = {
        "",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.",
        "01.2.3.4",
        "1.2.3.4::",
        "1:2:3",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::12345",
        "::g",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3.4:5",
        "١.2.3.4",
        ":1",
        "1:",
        "::1%1",
        "-1.2.3.4"
      })
  void refusesLiteral(String literal) {
    assertThat(IpAddresses.parse(literal)).isNull();
  }

  @Test
  @DisplayName("a prefix of the wrong number of bytes is refused with the number")
  void wrongBytes() {
    assertThatThrownBy(() -> Cidr.of(new byte[3], 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an address of 3 bytes (4 or 16)");
  }
}
