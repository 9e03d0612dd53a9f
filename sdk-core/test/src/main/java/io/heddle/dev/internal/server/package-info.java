// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The control plane as one server: its port, its one thread, its start, stop and restart. */
@NullMarked
package io.heddle.dev.internal.server;

import org.jspecify.annotations.NullMarked;
