// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** How the control plane departs from what it should do, on demand of a test. */
@NullMarked
package io.heddle.dev.internal.fault;

import org.jspecify.annotations.NullMarked;
