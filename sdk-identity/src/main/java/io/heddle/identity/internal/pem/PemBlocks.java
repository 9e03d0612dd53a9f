// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits PEM text (RFC 7468) into blocks, as laxly as files in the field need: byte order mark,
 * CRLF, text between blocks, no final newline, or two blocks that meet on one line because files
 * without final newline were concatenated.
 */
public final class PemBlocks {

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final byte[] text;
  private final byte[] body;
  private final List<PemBlock> blocks = new ArrayList<>();

  private int bodyLength;
  private boolean encrypted;
  private @Nullable String open;

  private PemBlocks(byte[] text) {
    this.text = text;
    this.body = new byte[text.length];
  }

  /** All blocks in order. The caller wipes them, and {@code text}, when they may hold a key. */
  public static List<PemBlock> parse(byte[] text) throws PemException {
    PemBlocks reader = new PemBlocks(text);
    try {
      reader.readAll();
      return List.copyOf(reader.blocks);
    } catch (PemException e) {
      reader.blocks.forEach(PemBlock::wipe);
      throw e;
    } finally {
      Arrays.fill(reader.body, (byte) 0);
    }
  }

  private void readAll() throws PemException {
    int start = startsWithByteOrderMark() ? BYTE_ORDER_MARK.length : 0;
    for (int at = start; at <= text.length; at++) {
      if (at == text.length || text[at] == '\n' || text[at] == '\r') {
        readLine(start, at);
        start = at + 1;
      }
    }
    if (open != null) {
      throw new PemException("block " + open + " is cut off: it has no END line");
    }
  }

  private boolean startsWithByteOrderMark() {
    return text.length >= BYTE_ORDER_MARK.length
        && Arrays.equals(text, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, 3);
  }

  private void readLine(int from, int to) throws PemException {
    if (!isBoundary(from, to)) {
      if (open != null) {
        readBodyLine(from, to);
      }
      return;
    }
    // Only boundary lines become strings: they hold no secret.
    String line = new String(text, from, to - from, StandardCharsets.ISO_8859_1).trim();
    if (open == null) {
      begin(line);
      return;
    }
    String end = END + open + DASHES;
    if (!line.startsWith(end)) {
      throw new PemException("block " + open + " has no END line before \"" + line + "\"");
    }
    close(open);
    begin(line.substring(end.length()));
  }

  private boolean isBoundary(int from, int to) {
    int dashes = 0;
    while (from + dashes < to && dashes < DASHES.length() && text[from + dashes] == '-') {
      dashes++;
    }
    return dashes == DASHES.length();
  }

  private void begin(String line) {
    if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
      open = line.substring(BEGIN.length(), line.length() - DASHES.length());
      bodyLength = 0;
      encrypted = false;
    }
  }

  private void readBodyLine(int from, int to) {
    for (int at = from; at < to; at++) {
      if (text[at] == ':') {
        // A header of the older form (RFC 1421); the only one that matters announces encryption.
        encrypted |= contains(from, to, "ENCRYPTED");
        return;
      }
    }
    for (int at = from; at < to; at++) {
      if (text[at] != ' ' && text[at] != '\t') {
        body[bodyLength++] = text[at];
      }
    }
  }

  private boolean contains(int from, int to, String word) {
    return new String(text, from, to - from, StandardCharsets.ISO_8859_1).contains(word);
  }

  private void close(String label) throws PemException {
    byte[] encoded = Arrays.copyOf(body, bodyLength);
    try {
      byte[] der = new byte[decodedLength(encoded)];
      // An encrypted legacy body follows a DEK-Info header and is still base64.
      Base64.getDecoder().decode(encoded, der);
      blocks.add(new PemBlock(label, der, encrypted));
    } catch (IllegalArgumentException e) {
      throw new PemException("block " + label + " is not valid base64");
    } finally {
      Arrays.fill(encoded, (byte) 0);
      open = null;
    }
  }

  /** Exact, because the decoder would otherwise leave a longer copy of a key behind. */
  private static int decodedLength(byte[] encoded) {
    int length = encoded.length;
    while (length > 0 && encoded[length - 1] == '=') {
      length--;
    }
    return (int) (length * 3L / 4);
  }
}
