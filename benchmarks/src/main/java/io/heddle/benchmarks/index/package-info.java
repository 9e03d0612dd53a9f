// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** A large mesh as its control plane sends it, and what the index of it costs. */
@NullMarked
package io.heddle.benchmarks.index;

import org.jspecify.annotations.NullMarked;
