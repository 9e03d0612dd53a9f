// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

/** The part that the peer plays in the TLS handshake. */
public enum PeerRole {
  /** It connected to us. */
  CLIENT,
  /** We connected to it. */
  SERVER
}
