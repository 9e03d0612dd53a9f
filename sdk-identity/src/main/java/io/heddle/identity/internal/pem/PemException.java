// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

/** PEM text that cannot be used; the message says what is wrong with it and never quotes it. */
public final class PemException extends Exception {

  private static final long serialVersionUID = 1L;

  public PemException(String message) {
    super(message);
  }

  public PemException(String message, Throwable cause) {
    super(message, cause);
  }
}
