// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import java.util.Arrays;

/** One block of PEM text: its label and its decoded bytes, which may be a secret. */
public final class PemBlock {

  private final String label;
  private final byte[] der;
  private final boolean encrypted;

  PemBlock(String label, byte[] der, boolean encrypted) {
    this.label = label;
    this.der = der;
    this.encrypted = encrypted;
  }

  /** What stands between {@code BEGIN} and the dashes, such as {@code CERTIFICATE}. */
  public String label() {
    return label;
  }

  /** Whether the block is protected by a password, in either of the two known ways. */
  boolean isEncrypted() {
    return encrypted || label.equals("ENCRYPTED PRIVATE KEY");
  }

  boolean isPrivateKey() {
    return label.endsWith("PRIVATE KEY");
  }

  /** The block's own array, not a copy: {@link #wipe()} overwrites it. */
  byte[] der() {
    return der;
  }

  /** Overwrites the decoded bytes. */
  public void wipe() {
    Arrays.fill(der, (byte) 0);
  }

  @Override
  public String toString() {
    return "PEM block " + label;
  }
}
