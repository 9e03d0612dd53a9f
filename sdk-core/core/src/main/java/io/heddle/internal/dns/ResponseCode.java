// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

/** How a query went (RFC 1035, section 4.1.1). */
enum ResponseCode {
  NO_ERROR(0),
  FORMAT_ERROR(1),
  SERVER_FAILURE(2),
  NOT_IMPLEMENTED(4);

  private final int code;

  ResponseCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
