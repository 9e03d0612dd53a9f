// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.net.Inet6Address;

/** The recommended text of an IPv6 address (RFC 5952): peers print and compare this form. */
final class Ipv6Text {
  private static final int GROUPS = 8;

  private Ipv6Text() {}

  static String of(Inet6Address address) {
    byte[] bytes = address.getAddress();
    int zerosFrom = -1;
    int zeros = 1;
    for (int i = 0; i < GROUPS; i++) {
      int run = zeroRun(bytes, i);
      if (run > zeros) {
        zerosFrom = i;
        zeros = run;
      }
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < GROUPS; i++) {
      if (i == zerosFrom) {
        text.append("::");
        i += zeros - 1;
      } else {
        if (i > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(bytes, i)));
      }
    }
    return text.toString();
  }

  private static int zeroRun(byte[] bytes, int from) {
    int i = from;
    while (i < GROUPS && group(bytes, i) == 0) {
      i++;
    }
    return i - from;
  }

  private static int group(byte[] bytes, int i) {
    return ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
  }
}
