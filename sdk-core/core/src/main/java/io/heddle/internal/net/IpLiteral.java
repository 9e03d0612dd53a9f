// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A strict reader of IPv4 and IPv6 literals.
 *
 * <p>Stricter than Netty's and the JDK's, because the texts come from policies: an IPv4 part with a
 * leading zero is octal to some readers and decimal to others, {@code ::1.2.3.4} is not a mapped
 * address, and brackets and zone ids belong to URLs and interfaces.
 */
final class IpLiteral {
  private static final int GROUPS = 8;

  private IpLiteral() {}

  /** The 4 or 16 bytes as written, or null when the text is not exactly an address. */
  static byte @Nullable [] parse(String text) {
    return text.indexOf(':') < 0 ? parseV4(text) : parseV6(text);
  }

  private static byte @Nullable [] parseV4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return null;
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      int octet = number(parts[i], 10, 3);
      if (octet < 0 || octet > 255 || (parts[i].length() > 1 && parts[i].charAt(0) == '0')) {
        return null;
      }
      bytes[i] = (byte) octet;
    }
    return bytes;
  }

  private static byte @Nullable [] parseV6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      byte[] whole = groups(text);
      return whole != null && whole.length == 2 * GROUPS ? whole : null;
    }
    byte[] head = groups(text.substring(0, gap));
    byte[] tail = groups(text.substring(gap + 2));
    if (head == null || tail == null || head.length + tail.length > 2 * (GROUPS - 1)) {
      return null;
    }
    byte[] bytes = new byte[2 * GROUPS];
    System.arraycopy(head, 0, bytes, 0, head.length);
    System.arraycopy(tail, 0, bytes, bytes.length - tail.length, tail.length);
    return gapMayFollow(text, gap) ? bytes : null;
  }

  /** A dotted part ends an address, so nothing may follow it. */
  private static boolean gapMayFollow(String text, int gap) {
    return text.lastIndexOf('.', gap) < 0;
  }

  /** The bytes of groups joined by colons, of which the last may be dotted; none for "". */
  private static byte @Nullable [] groups(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    String[] parts = text.split(":", -1);
    if (parts.length > GROUPS) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(2 * GROUPS + 4);
    for (int i = 0; i < parts.length; i++) {
      if (i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
        byte[] dotted = parseV4(parts[i]);
        if (dotted == null) {
          return null;
        }
        bytes.put(dotted);
      } else {
        int group = number(parts[i], 16, 4);
        if (group < 0) {
          return null;
        }
        bytes.putShort((short) group);
      }
    }
    byte[] result = new byte[bytes.position()];
    bytes.flip();
    bytes.get(result);
    return result;
  }

  /** The number that the digits spell, or -1. Signs and other scripts' digits are no digits. */
  private static int number(String digits, int radix, int maxLength) {
    if (digits.isEmpty() || digits.length() > maxLength) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }
}
