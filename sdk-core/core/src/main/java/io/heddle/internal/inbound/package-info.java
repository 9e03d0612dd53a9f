// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * From a CONNECT on port 15008 to the application: is it for us, may it, where does it go, and who
 * is it from.
 */
@NullMarked
package io.heddle.internal.inbound;

import org.jspecify.annotations.NullMarked;
