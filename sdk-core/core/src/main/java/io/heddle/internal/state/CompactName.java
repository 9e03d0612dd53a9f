// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Names kept as bytes, which for a pod's name is two thirds of a string, and their hashes. */
final class CompactName {

  private static final String KIND_OF_PODS = "//Pod/";

  private CompactName() {}

  static byte[] of(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }

  static int hash(String namespace, byte[] name) {
    return hash(namespace.hashCode(), name);
  }

  /** The uid that Istio gives to a pod. */
  static String podUid(String clusterId, String namespace, byte[] name) {
    return clusterId + KIND_OF_PODS + namespace + '/' + text(name);
  }

  /** Whether a uid is the one that {@link #podUid} makes. */
  static boolean isPodUid(String uid, String clusterId, String namespace, byte[] name) {
    int namespaceAt = clusterId.length() + KIND_OF_PODS.length();
    int nameAt = namespaceAt + namespace.length() + 1;
    return uid.length() == nameAt + name.length
        && uid.startsWith(clusterId)
        && uid.startsWith(KIND_OF_PODS, clusterId.length())
        && uid.startsWith(namespace, namespaceAt)
        && uid.charAt(nameAt - 1) == '/'
        && isAt(uid, nameAt, name);
  }

  /** The same of a uid as it is sent; a name that is not in ASCII is none that it follows from. */
  static boolean isPodUid(
      byte[] source, int from, int to, String clusterId, String namespace, byte[] name) {
    int kindAt = from + clusterId.length();
    int namespaceAt = kindAt + KIND_OF_PODS.length();
    int nameAt = namespaceAt + namespace.length() + 1;
    return to - nameAt == name.length
        && isAt(source, from, clusterId)
        && isAt(source, kindAt, KIND_OF_PODS)
        && isAt(source, namespaceAt, namespace)
        && source[nameAt - 1] == '/'
        && Arrays.equals(source, nameAt, to, name, 0, name.length)
        && isAscii(name);
  }

  private static boolean isAt(byte[] source, int offset, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (source[offset + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAscii(byte[] name) {
    for (byte character : name) {
      if (character < 0) {
        return false;
      }
    }
    return true;
  }

  /** The hash of {@link #podUid} as a string has it, of a name in ASCII. */
  static int podUidHash(String clusterId, String namespace, byte[] name) {
    int hash = hash(hash(clusterId.hashCode(), KIND_OF_PODS), namespace);
    return hash(31 * hash + '/', name);
  }

  /** A byte that is no ASCII character equals no character. */
  private static boolean isAt(String text, int offset, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      if (text.charAt(offset + i) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private static int hash(int hash, String text) {
    int result = hash;
    for (int i = 0; i < text.length(); i++) {
      result = 31 * result + text.charAt(i);
    }
    return result;
  }

  private static int hash(int hash, byte[] text) {
    int result = hash;
    for (byte character : text) {
      result = 31 * result + character;
    }
    return result;
  }
}
