// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the control plane announces at one moment: workloads, services and policies as messages,
 * found by every name that a client may ask for (control-plane reference 2.3).
 */
@NullMarked
package io.heddle.dev.internal.catalog;

import org.jspecify.annotations.NullMarked;
