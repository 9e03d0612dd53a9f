// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The parts alone, by JMH: no sockets, no TLS. */
@NullMarked
package io.heddle.benchmarks.parts;

import org.jspecify.annotations.NullMarked;
