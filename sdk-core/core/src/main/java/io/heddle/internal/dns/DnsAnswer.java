// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes answers that the mesh itself gives. */
final class DnsAnswer {

  /** HBONE reference 6, step 9. */
  private static final int TTL_SECONDS = 30;

  private static final int LEAST_PAYLOAD = 512;
  private static final int MOST_PAYLOAD = 4_096;
  private static final int LONGEST_BY_TCP = 65_535;
  private static final int OPT_BYTES = 11;

  /** QR, AA and RA. */
  private static final int FLAGS = 0x8480;

  private static final int TRUNCATED = 0x0200;
  private static final int TYPE_CNAME = 5;
  private static final int TYPE_OPT = 41;

  /** A pointer to the name in the question, which begins after the header. */
  private static final int QUESTION_NAME = 0xc000 | DnsQuery.HEADER_BYTES;

  private DnsAnswer() {}

  /** An answer of a code alone, to a query of which only the header could be read. */
  static ByteBuf failure(ByteBufAllocator allocator, DnsQuery.Header header, ResponseCode code) {
    ByteBuf answer = allocator.buffer(DnsQuery.HEADER_BYTES);
    header(answer, header, code, 0);
    return answer;
  }

  /** An answer of a code alone. */
  static ByteBuf failure(ByteBufAllocator allocator, DnsQuery query, ResponseCode code) {
    ByteBuf answer = allocator.buffer(LEAST_PAYLOAD);
    header(answer, query.header(), code, 1);
    answer.writeBytes(query.question().duplicate());
    edns(answer, query.edns());
    return answer;
  }

  /** The addresses that the mesh knows; by UDP as many as the client takes. */
  static ByteBuf of(ByteBufAllocator allocator, DnsQuery query, LocalAnswer local, boolean byTcp) {
    ByteBuf answer = allocator.buffer(LEAST_PAYLOAD);
    header(answer, query.header(), ResponseCode.NO_ERROR, 1);
    answer.writeBytes(query.question().duplicate());
    int owner = QUESTION_NAME;
    int answers = 0;
    String alias = local.alias();
    if (alias != null && !local.addresses().isEmpty()) {
      owner = alias(answer, alias);
      answers++;
    }
    int limit = limit(query, byTcp) - (query.edns() == null ? 0 : OPT_BYTES);
    int written = addresses(answer, owner, query.type(), local.addresses(), limit);
    answer.setShort(6, answers + written);
    if (written < local.addresses().size()) {
      answer.setShort(2, answer.getUnsignedShort(2) | TRUNCATED);
    }
    edns(answer, query.edns());
    return answer;
  }

  private static int limit(DnsQuery query, boolean byTcp) {
    DnsQuery.Edns edns = query.edns();
    if (byTcp) {
      return LONGEST_BY_TCP;
    }
    return edns == null
        ? LEAST_PAYLOAD
        : Math.min(Math.max(edns.payload(), LEAST_PAYLOAD), MOST_PAYLOAD);
  }

  private static void header(
      ByteBuf answer, DnsQuery.Header header, ResponseCode code, int questions) {
    int recursion = header.recursionDesired() ? 0x0100 : 0;
    answer.writeShort(header.id());
    answer.writeShort(FLAGS | header.operation() << 11 | recursion | code.code());
    answer.writeShort(questions).writeShort(0).writeShort(0).writeShort(0);
  }

  /** Writes a CNAME record, and returns a pointer to the name that it leads to. */
  private static int alias(ByteBuf answer, String name) {
    answer.writeShort(QUESTION_NAME).writeShort(TYPE_CNAME).writeShort(1).writeInt(TTL_SECONDS);
    int lengthAt = answer.writerIndex();
    answer.writeShort(0);
    int begin = answer.writerIndex();
    for (String label : name.split("\\.", -1)) {
      byte[] bytes = label.getBytes(StandardCharsets.ISO_8859_1);
      answer.writeByte(bytes.length).writeBytes(bytes);
    }
    answer.writeByte(0);
    answer.setShort(lengthAt, answer.writerIndex() - begin);
    return 0xc000 | begin;
  }

  private static int addresses(
      ByteBuf answer, int owner, int type, List<InetAddress> addresses, int limit) {
    int written = 0;
    for (InetAddress address : addresses) {
      byte[] bytes = address.getAddress();
      if (answer.writerIndex() + DnsQuery.HEADER_BYTES + bytes.length > limit) {
        break;
      }
      answer.writeShort(owner).writeShort(type).writeShort(1).writeInt(TTL_SECONDS);
      answer.writeShort(bytes.length).writeBytes(bytes);
      written++;
    }
    return written;
  }

  private static void edns(ByteBuf answer, DnsQuery.@Nullable Edns edns) {
    if (edns != null) {
      answer.setShort(10, 1);
      answer.writeByte(0).writeShort(TYPE_OPT);
      answer.writeShort(Math.max(edns.payload(), LEAST_PAYLOAD));
      answer.writeInt(edns.dnssecOk() ? 0x8000 : 0).writeShort(0);
    }
  }
}
