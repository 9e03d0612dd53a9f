// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

/** A response of which not even the outline can be trusted. Nothing of it is applied. */
final class MalformedResponseException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedResponseException(String message) {
    super(message);
  }

  MalformedResponseException(String message, Throwable cause) {
    super(message, cause);
  }
}
