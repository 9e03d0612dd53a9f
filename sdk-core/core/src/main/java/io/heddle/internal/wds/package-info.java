// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reads the control plane's workload discovery messages: an {@code Address} becomes a workload or a
 * service of {@link io.heddle.internal.state}, or is rejected with the reason. How messages get
 * here is not known.
 */
@NullMarked
package io.heddle.internal.wds;

import org.jspecify.annotations.NullMarked;
