// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The cryptographic provider that this library brings along for itself. */
@NullMarked
package io.heddle.identity.internal.crypto;

import org.jspecify.annotations.NullMarked;
