// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Answers DNS for a workload from what the mesh knows, as the node proxy does (HBONE reference 6),
 * and forwards the rest. The node agent serves pods with it; the SDK's own connections need no DNS,
 * because the router knows the same names.
 */
@NullMarked
package io.heddle.internal.dns;

import org.jspecify.annotations.NullMarked;
