// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a platform plugs into the mesh: today the listener that metrics adapters implement.
 *
 * <p>Implementations are called on event loops and must neither block nor throw.
 */
@NullMarked
package io.heddle.spi;

import org.jspecify.annotations.NullMarked;
