// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Certificate files on disk: read as one consistent set, judged by their modes, and watched.
 *
 * <p>Knows the layouts that producers of such files use, above all the linked directories of
 * Kubernetes volumes. What is in the files is the business of {@code internal.pem}.
 */
@NullMarked
package io.heddle.identity.internal.file;

import org.jspecify.annotations.NullMarked;
