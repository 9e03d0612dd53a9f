// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Couples two byte channels of one event loop: what one receives the other sends, with
 * back-pressure, both half-closes, and resets carried over. Knows no tunnel and no mesh; how a
 * channel is reset is told to it.
 */
@NullMarked
package io.heddle.internal.relay;

import org.jspecify.annotations.NullMarked;
