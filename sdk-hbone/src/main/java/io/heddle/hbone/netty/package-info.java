// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * HBONE on Netty: a client that opens tunnels, a server that accepts them, and the tunnel itself,
 * which is a Netty channel that carries bytes.
 */
@NullMarked
package io.heddle.hbone.netty;

import org.jspecify.annotations.NullMarked;
