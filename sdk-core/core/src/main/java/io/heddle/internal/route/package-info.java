// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Where a connection goes: the outbound decision of HBONE reference 2, taken before anything is
 * dialled.
 *
 * <p>A decision is a value made of one snapshot of the mesh. Nothing here waits, opens or resolves.
 */
@NullMarked
package io.heddle.internal.route;

import org.jspecify.annotations.NullMarked;
