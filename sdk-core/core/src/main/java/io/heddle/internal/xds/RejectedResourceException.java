// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

/** A resource cannot be used. The message is the reason and goes to the control plane. */
final class RejectedResourceException extends Exception {

  private static final long serialVersionUID = 1L;

  RejectedResourceException(String reason) {
    super(reason);
  }
}
