// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** What becomes of the figures: statistics, goals, the table, the chart and the files. */
@NullMarked
package io.heddle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
