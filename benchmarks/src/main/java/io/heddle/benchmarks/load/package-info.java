// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The work that contenders are given, each kind with its own measure. */
@NullMarked
package io.heddle.benchmarks.load;

import org.jspecify.annotations.NullMarked;
