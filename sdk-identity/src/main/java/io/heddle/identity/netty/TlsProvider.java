// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

/** Which TLS engine does the work. All behave alike; they differ in speed. */
public enum TlsProvider {
  /** BoringSSL where its library loads, the JDK elsewhere. */
  AUTO,
  /** BoringSSL, by Netty's tcnative; building fails where it does not load. */
  BORINGSSL,
  /** The JDK's own. */
  JDK
}
