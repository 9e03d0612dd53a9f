// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Three JVMs on one machine: a storefront calls an inventory over HBONE, an intruder is denied.
 * Start at {@link io.heddle.example.quickstart.Quickstart}.
 */
@NullMarked
package io.heddle.example.quickstart;

import org.jspecify.annotations.NullMarked;
