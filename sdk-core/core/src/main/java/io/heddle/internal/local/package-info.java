// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The mesh's state from a YAML file in the node proxy's local format (HBONE reference 8), for
 * laptops, tests and the quickstart.
 *
 * <p>{@link io.heddle.internal.local.LocalConfig} reads a text and names every problem with its
 * line; {@link io.heddle.internal.local.LocalFile} loads a file and follows its changes. What the
 * state means is the business of {@code io.heddle.internal.state}.
 */
@NullMarked
package io.heddle.internal.local;

import org.jspecify.annotations.NullMarked;
