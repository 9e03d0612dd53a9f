// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The two places where TLS asks about identities: which key to present, and whether a peer's chain
 * is good. Both answer from one snapshot per handshake and nothing here knows which TLS engine
 * asks.
 */
@NullMarked
package io.heddle.identity.internal.tls;

import org.jspecify.annotations.NullMarked;
