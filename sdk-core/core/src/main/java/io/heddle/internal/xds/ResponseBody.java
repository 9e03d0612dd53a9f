// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A response as it came off the wire. It is read twice: first for what it is, because the type is
 * written behind the resources; then for its resources, of which only one exists as an object at a
 * time. The first reading also proves the outline, so the second one finds no end in the middle.
 */
final class ResponseBody {

  private static final int BUFFER_BYTES = 16 * 1024;
  private static final int LONGEST_HEADER = 4096;
  private static final int MOST_BYTES_OF_A_CHARACTER = 3;

  private static final int RESOURCE = tag(DeltaDiscoveryResponse.RESOURCES_FIELD_NUMBER);
  private static final int TYPE_URL = tag(DeltaDiscoveryResponse.TYPE_URL_FIELD_NUMBER);
  private static final int NONCE = tag(DeltaDiscoveryResponse.NONCE_FIELD_NUMBER);
  private static final int REMOVED = tag(DeltaDiscoveryResponse.REMOVED_RESOURCES_FIELD_NUMBER);

  private final InputStream message;

  private ResponseBody(InputStream message) {
    this.message = message;
  }

  /**
   * Begins with a message. The transport's own stream can be rewound; one that cannot (a compressed
   * message's) is copied.
   */
  static ResponseBody of(InputStream message) throws MalformedResponseException {
    try {
      InputStream rewindable =
          message.markSupported() ? message : new ByteArrayInputStream(message.readAllBytes());
      rewindable.mark(Integer.MAX_VALUE);
      return new ResponseBody(rewindable);
    } catch (IOException e) {
      throw new MalformedResponseException("unreadable: " + e.getMessage(), e);
    }
  }

  /**
   * What a response says about itself.
   *
   * @param typeUrl the type of its resources
   * @param nonce by which it is acknowledged
   */
  record Outline(String typeUrl, String nonce) {}

  /** Is told of the contents. */
  interface Receiver {

    /** A resource. */
    void resource(Resource resource);

    /** Something in the place of a resource that is none, counted from 0. */
    void noResource(int position, String reason);

    /** The name of a resource that is no more. */
    void removed(String name);
  }

  /** Reads the outline, all of it. */
  Outline outline() throws MalformedResponseException {
    String typeUrl = "";
    String nonce = "";
    try {
      CodedInputStream input = CodedInputStream.newInstance(message, BUFFER_BYTES);
      for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
        if (tag == TYPE_URL) {
          typeUrl = header(input, "type");
        } else if (tag == NONCE) {
          nonce = header(input, "nonce");
        } else if (!input.skipField(tag)) {
          throw new MalformedResponseException(
              "not a discovery response: a group ends that never began");
        }
      }
      message.reset();
    } catch (IOException e) {
      throw new MalformedResponseException("not a discovery response: " + e.getMessage(), e);
    }
    return new Outline(typeUrl, nonce);
  }

  /** Reads the contents, after the outline. */
  void read(Receiver receiver, AdsLimits limits) throws MalformedResponseException {
    try {
      CodedInputStream input = CodedInputStream.newInstance(message, BUFFER_BYTES);
      int position = 0;
      for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
        if (tag == RESOURCE) {
          readResource(input, receiver, position++, limits.resourceBytes());
        } else if (tag == REMOVED) {
          readRemoved(input, receiver, limits.nameLength());
        } else {
          input.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new MalformedResponseException("not a discovery response: " + e.getMessage(), e);
    }
  }

  /** Its length is known before it is read: what is wrong inside ends at its end. */
  private static void readResource(
      CodedInputStream input, Receiver receiver, int position, int resourceBytes)
      throws IOException {
    int length = input.readRawVarint32();
    if (length > resourceBytes) {
      input.skipRawBytes(length);
      receiver.noResource(position, length + " bytes (at most " + resourceBytes + ")");
      return;
    }
    byte[] bytes = input.readRawBytes(length);
    Resource resource;
    try {
      resource = Resource.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      receiver.noResource(position, "not a resource: " + e.getMessage());
      return;
    }
    receiver.resource(resource);
  }

  /** No resource has a longer name, so none is removed by it. */
  private static void readRemoved(CodedInputStream input, Receiver receiver, int nameLength)
      throws IOException {
    int length = input.readRawVarint32();
    if (length > nameLength * MOST_BYTES_OF_A_CHARACTER) {
      input.skipRawBytes(length);
    } else {
      receiver.removed(new String(input.readRawBytes(length), StandardCharsets.UTF_8));
    }
  }

  private static String header(CodedInputStream input, String what)
      throws IOException, MalformedResponseException {
    int length = input.readRawVarint32();
    if (length > LONGEST_HEADER) {
      throw new MalformedResponseException(
          "a " + what + " of " + length + " bytes (at most " + LONGEST_HEADER + ")");
    }
    ByteString bytes = ByteString.copyFrom(input.readRawBytes(length));
    if (!bytes.isValidUtf8()) {
      throw new MalformedResponseException("a " + what + " that is not UTF-8");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int tag(int field) {
    return (field << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }
}
