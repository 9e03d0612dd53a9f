// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** A counter pattern of any length, sent and digested in pieces. */
public final class Bytes {

  private static final int PIECE = 64 * 1024;

  private Bytes() {}

  public static byte[] of(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Sends the pattern; the counter tells how much of it the stream has taken so far. */
  public static void send(OutputStream out, long length, AtomicLong taken) throws IOException {
    byte[] piece = new byte[PIECE];
    for (long at = 0; at < length; at += PIECE) {
      int step = (int) Math.min(PIECE, length - at);
      fill(piece, at);
      out.write(piece, 0, step);
      taken.addAndGet(step);
    }
    out.flush();
  }

  public static void send(OutputStream out, long length) throws IOException {
    send(out, length, new AtomicLong());
  }

  /** The digest of the pattern of this length. */
  public static String digest(long length) throws IOException {
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE];
    for (long at = 0; at < length; at += PIECE) {
      fill(piece, at);
      digest.update(piece, 0, (int) Math.min(PIECE, length - at));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Reads to the end in pieces of random size. */
  public static String digest(InputStream in, int largestRead) throws IOException {
    MessageDigest digest = sha256();
    Random sizes = new Random(largestRead);
    byte[] piece = new byte[largestRead];
    int read;
    while ((read = in.read(piece, 0, 1 + sizes.nextInt(largestRead))) >= 0) {
      digest.update(piece, 0, read);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Every 8 bytes hold their own offset, so that a lost or repeated piece changes the digest. */
  private static void fill(byte[] piece, long offset) {
    for (int i = 0; i < piece.length; i += Long.BYTES) {
      long value = offset + i;
      for (int b = 0; b < Long.BYTES; b++) {
        piece[i + b] = (byte) (value >>> (8 * b));
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}
