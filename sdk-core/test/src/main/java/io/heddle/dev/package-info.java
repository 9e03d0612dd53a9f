// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The mesh for tests, without a cluster: a control plane inside the test's own process, and a JUnit
 * extension that starts meshes against it.
 */
@NullMarked
package io.heddle.dev;

import org.jspecify.annotations.NullMarked;
