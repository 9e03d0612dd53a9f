// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * SPIFFE identity for the JVM: ids, X.509 SVIDs, trust bundles, and the sources that deliver and
 * rotate them.
 *
 * <p>Nothing here knows HTTP/2, workloads or routing.
 */
@NullMarked
package io.heddle.identity;

import org.jspecify.annotations.NullMarked;
