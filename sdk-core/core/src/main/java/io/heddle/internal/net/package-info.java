// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** IP addresses and prefixes in the one form in which the mesh compares them. */
@NullMarked
package io.heddle.internal.net;

import org.jspecify.annotations.NullMarked;
