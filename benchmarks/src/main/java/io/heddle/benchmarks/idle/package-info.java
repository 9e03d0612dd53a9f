// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** What an idle tunnel costs in memory: each end in a fresh process of its own. */
@NullMarked
package io.heddle.benchmarks.idle;

import org.jspecify.annotations.NullMarked;
