// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** Puts the rooms of the mesh together, in order, and takes them apart again. */
@NullMarked
package io.heddle.internal.runtime;

import org.jspecify.annotations.NullMarked;
