// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What becomes visible of a connection: one observation for the metrics listener, one line in the
 * access log.
 */
@NullMarked
package io.heddle.internal.telemetry;

import org.jspecify.annotations.NullMarked;
