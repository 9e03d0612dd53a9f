// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Queries as a stub resolver makes them, and answers as it reads them. */
final class DnsMessages {

  static final int A = 1;
  static final int NS = 2;
  static final int CNAME = 5;
  static final int MX = 15;
  static final int AAAA = 28;
  static final int SRV = 33;
  static final int ANY = 255;
  static final int NX_DOMAIN = 3;

  private DnsMessages() {}

  /** One record: its owner, type and content as text. */
  record Answer(String owner, int type, String content) {}

  /** A whole answer. */
  record Message(int id, int flags, List<Answer> answers, int additional, int bytes) {

    int code() {
      return flags & 0xf;
    }

    boolean isAuthoritative() {
      return (flags & 0x400) != 0;
    }

    boolean isTruncated() {
      return (flags & 0x200) != 0;
    }

    List<String> contents() {
      return answers.stream().map(Answer::content).toList();
    }
  }

  static ByteBuf query(int id, String name, int type) {
    ByteBuf query = Unpooled.buffer();
    query.writeShort(id).writeShort(0x100).writeShort(1).writeShort(0).writeShort(0).writeShort(0);
    name(query, name);
    return query.writeShort(type).writeShort(1);
  }

  /** The same with an OPT record (RFC 6891). */
  static ByteBuf query(int id, String name, int type, int payload) {
    ByteBuf query = query(id, name, type);
    query.setShort(10, 1);
    return query.writeByte(0).writeShort(41).writeShort(payload).writeInt(0x8000).writeShort(0);
  }

  private static void name(ByteBuf to, String name) {
    for (String label : name.split("\\.")) {
      byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
      to.writeByte(bytes.length).writeBytes(bytes);
    }
    to.writeByte(0);
  }

  static Message read(ByteBuf message) throws UnknownHostException {
    int bytes = message.readableBytes();
    int id = message.readUnsignedShort();
    int flags = message.readUnsignedShort();
    int questions = message.readUnsignedShort();
    int answers = message.readUnsignedShort();
    message.skipBytes(2);
    int additional = message.readUnsignedShort();
    for (int i = 0; i < questions; i++) {
      readName(message);
      message.skipBytes(4);
    }
    List<Answer> read = new ArrayList<>();
    for (int i = 0; i < answers; i++) {
      String owner = readName(message);
      int type = message.readUnsignedShort();
      message.skipBytes(6);
      int length = message.readUnsignedShort();
      read.add(new Answer(owner, type, content(message, type, length)));
    }
    return new Message(id, flags, read, additional, bytes);
  }

  private static String content(ByteBuf message, int type, int length) throws UnknownHostException {
    if (type == CNAME) {
      return readName(message);
    }
    byte[] bytes = new byte[length];
    message.readBytes(bytes);
    return InetAddress.getByAddress(bytes).getHostAddress();
  }

  private static String readName(ByteBuf message) {
    StringBuilder name = new StringBuilder();
    int back = -1;
    for (int length = message.readUnsignedByte();
        length != 0;
        length = message.readUnsignedByte()) {
      if (length >= 0xc0) {
        int to = (length & 0x3f) << 8 | message.readUnsignedByte();
        back = back < 0 ? message.readerIndex() : back;
        message.readerIndex(to);
      } else {
        name.append(name.isEmpty() ? "" : ".");
        name.append(message.readCharSequence(length, StandardCharsets.US_ASCII));
      }
    }
    if (back >= 0) {
      message.readerIndex(back);
    }
    return name.toString();
  }
}
