// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** A tunnel inside a tunnel, to get through the gateway of another network. */
@NullMarked
package io.heddle.hbone.internal.nested;

import org.jspecify.annotations.NullMarked;
