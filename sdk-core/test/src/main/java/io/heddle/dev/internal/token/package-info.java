// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** Who calls: tokens in the shape of projected service-account tokens, and their check. */
@NullMarked
package io.heddle.dev.internal.token;

import org.jspecify.annotations.NullMarked;
