// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Which connection a tunnel is opened on. {@link io.heddle.hbone.internal.pool.ConnectionPool}
 * finds or makes the {@link io.heddle.hbone.internal.pool.TargetPool} of a key; that one decides.
 * It holds no HTTP/2: a connection is asked for credit, told to open, and watched.
 */
@NullMarked
package io.heddle.hbone.internal.pool;

import org.jspecify.annotations.NullMarked;
