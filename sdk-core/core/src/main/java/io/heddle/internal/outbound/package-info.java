// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * From a named destination to an open byte channel: ask the router, carry out its decision, and
 * tell telemetry.
 */
@NullMarked
package io.heddle.internal.outbound;

import org.jspecify.annotations.NullMarked;
