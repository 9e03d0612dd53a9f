// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** How text that a stranger chose is shown in messages and logs. */
@NullMarked
package io.heddle.identity.internal.text;

import org.jspecify.annotations.NullMarked;
