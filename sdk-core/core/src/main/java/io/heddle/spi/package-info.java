// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a platform plugs into the mesh: the listener that metrics adapters implement, and the
 * resolver of host names.
 *
 * <p>The listener is called on event loops and must neither block nor throw; the resolver may do
 * both.
 */
@NullMarked
package io.heddle.spi;

import org.jspecify.annotations.NullMarked;
