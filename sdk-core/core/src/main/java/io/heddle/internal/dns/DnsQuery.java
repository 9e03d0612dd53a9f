// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A query as far as it is looked at (RFC 1035, section 4; RFC 6891 for EDNS).
 *
 * @param header id and flags, to be answered with
 * @param question the one question as it came, in whatever case the client wrote it
 * @param name what is asked for, in lower case and without the last dot
 * @param type of record that is asked for
 * @param edns what the client says of itself, or null if it knows no EDNS
 */
record DnsQuery(Header header, ByteBuffer question, String name, int type, @Nullable Edns edns) {

  static final int TYPE_A = 1;
  static final int TYPE_AAAA = 28;
  static final int HEADER_BYTES = 12;

  private static final int TYPE_OPT = 41;
  private static final int CLASS_INTERNET = 1;
  private static final int FLAG_RESPONSE = 0x8000;
  private static final int FLAG_RECURSION_DESIRED = 0x0100;
  private static final int FLAG_DNSSEC_OK = 0x8000;
  private static final int MOST_NAME_BYTES = 255;
  private static final int LONGEST_LABEL = 63;

  /**
   * The beginning of every message.
   *
   * @param id chosen by the client
   * @param isResponse whether it is no query at all
   * @param operation 0 for a standard query
   * @param recursionDesired copied into the answer
   */
  record Header(int id, boolean isResponse, int operation, boolean recursionDesired) {

    static Header of(ByteBuf message) {
      int flags = message.getUnsignedShort(message.readerIndex() + 2);
      return new Header(
          message.getUnsignedShort(message.readerIndex()),
          (flags & FLAG_RESPONSE) != 0,
          flags >> 11 & 0xf,
          (flags & FLAG_RECURSION_DESIRED) != 0);
    }
  }

  /**
   * What a client says of itself.
   *
   * @param payload the longest answer that it takes by UDP
   * @param dnssecOk echoed
   */
  record Edns(int payload, boolean dnssecOk) {}

  /** Whether addresses are asked for, of which the mesh may know some. */
  boolean isForAddresses() {
    return question.getShort(question.limit() - 2) == CLASS_INTERNET
        && (type == TYPE_A || type == TYPE_AAAA);
  }

  /** Reads a query, or returns null if it is malformed. The buffer's indexes stay. */
  static @Nullable DnsQuery read(ByteBuf message) {
    try {
      return readWhole(message.duplicate());
    } catch (IndexOutOfBoundsException tooShort) {
      return null;
    }
  }

  private static @Nullable DnsQuery readWhole(ByteBuf message) {
    Header header = Header.of(message);
    message.skipBytes(4);
    int questions = message.readUnsignedShort();
    int others = message.readUnsignedShort() + message.readUnsignedShort();
    int additional = message.readUnsignedShort();
    if (questions != 1) {
      return null;
    }
    int begin = message.readerIndex();
    String name = readName(message);
    if (name == null) {
      return null;
    }
    int type = message.readUnsignedShort();
    message.skipBytes(2);
    byte[] question = new byte[message.readerIndex() - begin];
    message.getBytes(begin, question);
    Edns edns = others == 0 ? readEdns(message, additional) : null;
    return new DnsQuery(header, ByteBuffer.wrap(question).asReadOnlyBuffer(), name, type, edns);
  }

  /** A name without pointers: in a query's question there is nothing to point to. */
  private static @Nullable String readName(ByteBuf message) {
    StringBuilder name = new StringBuilder();
    for (int length = message.readUnsignedByte();
        length != 0;
        length = message.readUnsignedByte()) {
      if (length > LONGEST_LABEL || name.length() + length > MOST_NAME_BYTES) {
        return null;
      }
      if (!name.isEmpty()) {
        name.append('.');
      }
      name.append(message.readCharSequence(length, StandardCharsets.ISO_8859_1));
    }
    return name.toString().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Edns readEdns(ByteBuf message, int records) {
    for (int i = 0; i < records; i++) {
      String owner = readName(message);
      int type = message.readUnsignedShort();
      int payload = message.readUnsignedShort();
      long flags = message.readUnsignedInt();
      message.skipBytes(message.readUnsignedShort());
      if (type == TYPE_OPT && owner != null && owner.isEmpty()) {
        return new Edns(payload, (flags & FLAG_DNSSEC_OK) != 0);
      }
    }
    return null;
  }
}
