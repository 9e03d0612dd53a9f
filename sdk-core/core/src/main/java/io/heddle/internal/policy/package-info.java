// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * L4 authorization (HBONE reference 5): what a policy says, and the verdict on a connection.
 *
 * <p>Policies are compiled when they arrive. A verdict costs what the policies of that one
 * destination cost, however many others the mesh holds.
 */
@NullMarked
package io.heddle.internal.policy;

import org.jspecify.annotations.NullMarked;
