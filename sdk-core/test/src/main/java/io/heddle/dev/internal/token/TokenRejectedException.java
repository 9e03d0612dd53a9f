// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.token;

/** A token that proves nobody. */
public final class TokenRejectedException extends Exception {

  private static final long serialVersionUID = 1L;

  TokenRejectedException(String reason) {
    super(reason);
  }
}
