// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

/** What happens in a soak. */
enum Happening {
  COMPLETED(true),
  HALF_CLOSED_BY_CLIENT(true),
  HALF_CLOSED_BY_SERVER(true),
  SLOW_CLIENT(true),
  SLOW_SERVER(true),
  ANSWER_DELAYED(true),
  OPEN_ABORTED(true),
  REFUSED(true),
  RESET_BY_CLIENT(true),
  RESET_BY_SERVER(true),
  CLOSED_BY_CLIENT(true),
  CLOSED_BY_SERVER(true),

  CONNECTION_RESET(true),
  CONNECTION_ENDED(true),
  CONNECTION_STALLED(true),
  CLIENT_ROTATED(true),
  SERVER_ROTATED(true),
  SERVER_RESTARTED(true),

  TUNNEL_LOST(false),
  OPEN_FAILED(false);

  private final boolean required;

  Happening(boolean required) {
    this.required = required;
  }

  /** Whether a soak without it has not tested what it should; the others are consequences. */
  boolean isRequired() {
    return required;
  }
}
