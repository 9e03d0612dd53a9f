// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

/**
 * Which TLS engine does the work. They keep the same rules and differ in speed, and in two kinds of
 * keys that hardly any certificate authority issues for workloads: only {@link #JDK} shakes hands
 * with Ed25519 and P-521 keys.
 */
public enum TlsProvider {
  /** BoringSSL where its library loads, the JDK elsewhere. */
  AUTO,
  /** BoringSSL, by Netty's tcnative; building fails where it does not load. */
  BORINGSSL,
  /** The JDK's own. */
  JDK
}
