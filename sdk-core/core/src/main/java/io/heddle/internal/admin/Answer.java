// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

/**
 * What is said to one request.
 *
 * @param status the HTTP status
 * @param contentType what the body is
 * @param body the text
 */
record Answer(int status, String contentType, String body) {

  private static final String TEXT = "text/plain; charset=utf-8";

  static Answer text(int status, String body) {
    return new Answer(status, TEXT, body);
  }

  static Answer json(String body) {
    return new Answer(200, "application/json", body);
  }

  static Answer html(String body) {
    return new Answer(200, "text/html; charset=utf-8", body);
  }
}
