// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mutual TLS between mesh peers, as Netty handlers.
 *
 * <p>{@link io.heddle.identity.netty.MeshTls} is the entry point.
 */
@NullMarked
package io.heddle.identity.netty;

import org.jspecify.annotations.NullMarked;
