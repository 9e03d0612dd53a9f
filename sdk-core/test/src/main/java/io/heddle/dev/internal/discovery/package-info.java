// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Delta discovery as istiod serves it (control-plane reference 1.4, 1.6 and 2): who may open a
 * stream, what each request is answered with, and what is pushed.
 *
 * <p>Everything here runs on the control plane's one thread.
 */
@NullMarked
package io.heddle.dev.internal.discovery;

import org.jspecify.annotations.NullMarked;
