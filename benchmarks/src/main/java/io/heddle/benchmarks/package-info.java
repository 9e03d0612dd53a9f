// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a tunnel costs. Whole-system contenders take turns in one process; JMH measures the parts.
 * Start at {@link io.heddle.benchmarks.WholeSystem}.
 */
@NullMarked
package io.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
