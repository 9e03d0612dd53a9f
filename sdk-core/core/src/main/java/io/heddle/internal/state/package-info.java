// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the mesh knows: workloads, services, endpoints and policies, and the look-ups over them.
 *
 * <p>{@link io.heddle.internal.state.WorkloadIndex} has one writer that applies a batch and
 * publishes an immutable {@link io.heddle.internal.state.MeshSnapshot}; readers take no lock. Where
 * the state comes from (a file, a control plane) and what is done with it (routing, authorization)
 * is not known here.
 */
@NullMarked
package io.heddle.internal.state;

import org.jspecify.annotations.NullMarked;
