// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.TunnelException;
import io.heddle.identity.IdentityException;
import io.heddle.internal.telemetry.ResponseFlag;

/** What telemetry calls the failure of an open (HBONE reference 7.1). */
final class ResponseFlags {

  private ResponseFlags() {}

  static ResponseFlag of(Throwable cause) {
    if (cause instanceof TunnelException.Nested nested) {
      return of(nested.failure());
    }
    if (cause instanceof TunnelException.AllFailed all) {
      return of(all.attempts().get(0).cause());
    }
    if (cause instanceof TunnelException.Refused refused) {
      return refused.kind() == TunnelException.Refused.Kind.DENIED
          ? ResponseFlag.DENY
          : ResponseFlag.CONNECT;
    }
    if (cause.getCause() instanceof IdentityException) {
      return ResponseFlag.IDENTITY_ERROR;
    }
    if (cause instanceof TunnelException.PeerRejected) {
      return ResponseFlag.TLS_FAILURE;
    }
    return cause instanceof TunnelException.ConnectFailed failed
            && failed.phase() == TunnelException.Phase.TCP
            && failed.getCause() == null
        ? ResponseFlag.NETWORK_POLICY
        : ResponseFlag.CONNECT;
  }
}
