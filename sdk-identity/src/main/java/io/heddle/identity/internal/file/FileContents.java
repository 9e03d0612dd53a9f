// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;

/** What a consistent set of files held at one moment. Holds a key, so it is wiped after use. */
public final class FileContents implements AutoCloseable {

  private final CertificateFiles files;
  private final Map<Path, byte[]> texts;

  FileContents(CertificateFiles files, Map<Path, byte[]> texts) {
    this.files = files;
    this.texts = texts;
  }

  /** The text with the private key; the array itself, not a copy. */
  public byte[] key() {
    return text(files.key());
  }

  /** The text with the chain; the same array as {@link #key()} for a credential bundle. */
  public byte[] chain() {
    return text(files.chain());
  }

  /** The text with the trust anchors. */
  public byte[] roots() {
    return text(files.roots());
  }

  /** A hash over everything, by which a change is seen whatever the file times say. */
  byte[] digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files.all()) {
        byte[] text = text(file);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, text.length));
        digest.update(text);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Overwrites all texts. */
  @Override
  public void close() {
    texts.values().forEach(text -> Arrays.fill(text, (byte) 0));
  }

  private byte[] text(Path file) {
    byte[] text = texts.get(file);
    if (text == null) {
      throw new IllegalStateException(file + " was not read");
    }
    return text;
  }
}
