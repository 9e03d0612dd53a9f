// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.catalog;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.heddle.internal.proto.xds.Resource;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * One resource in the form in which it is sent.
 *
 * @param name the primary name
 * @param aliases other names by which it can be asked for
 * @param version of the content; lower-case hex of 64 bits
 * @param node where a workload runs; empty for everything else
 * @param content the message, packed
 */
public record Announcement(
    String name, List<String> aliases, String version, String node, Any content) {

  private static final String TYPE_URL_PREFIX = "type.googleapis.com";

  /** Copies the aliases. */
  public Announcement {
    aliases = List.copyOf(aliases);
  }

  static Announcement of(String name, List<String> aliases, String node, Message message) {
    Any content = Any.pack(message, TYPE_URL_PREFIX);
    return new Announcement(name, aliases, hash(content.getValue().toByteArray()), node, content);
  }

  /** As sent to a client that did not ask by name. */
  public Resource resource() {
    return Resource.newBuilder().setName(name).setVersion(version).setResource(content).build();
  }

  /** As sent to a client that asked by name, which may have been one of the aliases. */
  public Resource resourceWithAliases() {
    return resource().toBuilder().addAllAliases(aliases).build();
  }

  /** As policies are sent: istiod gives them no version (control-plane reference 2.7). */
  public Resource resourceWithoutVersion() {
    return resource().toBuilder().clearVersion().build();
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return String.format("%016x", ByteBuffer.wrap(digest).getLong());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
