// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a mesh starts from, wherever it came from: the state of the mesh, this process's place in it
 * and its certificate.
 *
 * @param index the state, kept in step by whoever made it
 * @param own this process among the workloads
 * @param record its record at the start
 * @param id what its certificate says
 * @param identity where the certificate comes from; it holds one
 * @param troubles what fails behind the scenes while the mesh goes on with what it has
 */
record Origin(
    WorkloadIndex index,
    OwnWorkload own,
    Workload record,
    SpiffeId id,
    SvidSource identity,
    Supplier<List<String>> troubles) {}
