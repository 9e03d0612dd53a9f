// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.Workload;
import java.io.IOException;

/**
 * The message of a workload, divided by field numbers into what is its own and what its siblings,
 * or its neighbours on a node, send word for word too. What the latter means is read by the
 * generated classes, once for all of them: reading it again for each of 100 000 workloads, and
 * comparing it with what is known, took several times as long as all else. Used again and again, by
 * one thread.
 */
final class DividedWorkload {

  private static final int WORKLOAD = delimited(Address.WORKLOAD_FIELD_NUMBER);
  private static final int NAME = delimited(Workload.NAME_FIELD_NUMBER);
  private static final int UID = delimited(Workload.UID_FIELD_NUMBER);
  private static final int ADDRESS = delimited(Workload.ADDRESSES_FIELD_NUMBER);
  private static final int NODE = delimited(Workload.NODE_FIELD_NUMBER);
  private static final int LOCALITY = delimited(Workload.LOCALITY_FIELD_NUMBER);
  private static final int STATUS = Workload.STATUS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;
  private static final int IPV4_BYTES = 4;

  private final GatheredBytes profile = new GatheredBytes();
  private final GatheredBytes placement = new GatheredBytes();
  private byte[] message = {};
  private int nameAt;
  private int nameLength;
  private int uidAt;
  private int uidLength;
  private int addresses;
  private int ipv4;
  private int status;

  /**
   * Divides a message.
   *
   * @return whether it is the message of one workload with one IPv4 address, as nearly all are;
   *     others are not divided
   */
  boolean divide(byte[] address) {
    message = address;
    profile.clear();
    placement.clear();
    nameLength = 0;
    uidLength = 0;
    addresses = 0;
    status = 0;
    try {
      CodedInputStream input = CodedInputStream.newInstance(address);
      return input.readTag() == WORKLOAD
          && input.readRawVarint32() == address.length - input.getTotalBytesRead()
          && divide(input)
          && addresses == 1;
    } catch (IOException malformed) {
      // Whoever reads all of it says better what is wrong.
      return false;
    }
  }

  private boolean divide(CodedInputStream input) throws IOException {
    int at = input.getTotalBytesRead();
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      if (tag == NAME) {
        nameLength = input.readRawVarint32();
        nameAt = input.getTotalBytesRead();
        input.skipRawBytes(nameLength);
      } else if (tag == UID) {
        uidLength = input.readRawVarint32();
        uidAt = input.getTotalBytesRead();
        input.skipRawBytes(uidLength);
      } else if (tag == STATUS) {
        status = input.readRawVarint32();
      } else if (tag == ADDRESS) {
        if (input.readRawVarint32() != IPV4_BYTES) {
          return false;
        }
        ipv4 = Integer.reverseBytes(input.readRawLittleEndian32());
        addresses++;
      } else if (input.skipField(tag)) {
        boolean ofNode = tag == NODE || tag == LOCALITY;
        (ofNode ? placement : profile).add(message, at, input.getTotalBytesRead());
      } else {
        return false;
      }
      at = input.getTotalBytesRead();
    }
    return true;
  }

  /** The fields that siblings share, as a message of their own. */
  GatheredBytes profile() {
    return profile;
  }

  /** The fields that neighbours share, as a message of their own. */
  GatheredBytes placement() {
    return placement;
  }

  byte[] message() {
    return message;
  }

  int nameAt() {
    return nameAt;
  }

  int nameLength() {
    return nameLength;
  }

  int uidAt() {
    return uidAt;
  }

  int uidLength() {
    return uidLength;
  }

  int ipv4() {
    return ipv4;
  }

  int status() {
    return status;
  }

  private static int delimited(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }
}
