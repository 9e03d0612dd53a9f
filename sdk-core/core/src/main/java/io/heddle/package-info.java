// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The mesh inside this process. Start at {@link io.heddle.Mesh}: it connects by name, exposes
 * ports, and knows who is at the other end of a connection.
 */
@NullMarked
package io.heddle;

import org.jspecify.annotations.NullMarked;
