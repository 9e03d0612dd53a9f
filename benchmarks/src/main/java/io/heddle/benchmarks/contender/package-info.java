// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The ways to carry bytes that are compared, alike in everything but what is compared. */
@NullMarked
package io.heddle.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
