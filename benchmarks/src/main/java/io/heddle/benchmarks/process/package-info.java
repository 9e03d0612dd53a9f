// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** Processes of this program's own, for what must not share a heap or what a compiler learned. */
@NullMarked
package io.heddle.benchmarks.process;

import org.jspecify.annotations.NullMarked;
