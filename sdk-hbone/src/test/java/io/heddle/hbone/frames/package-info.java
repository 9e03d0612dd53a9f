// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** A peer that speaks HTTP/2 one frame at a time, right or wrong, over TLS or plain TCP. */
@NullMarked
package io.heddle.hbone.frames;

import org.jspecify.annotations.NullMarked;
