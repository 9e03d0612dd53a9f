// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * A workload as one service sees it.
 *
 * @param workload the workload behind the service
 * @param ports the workload's own mapping of the service's ports; it goes before the service's
 */
public record Endpoint(Workload workload, PortMap ports) {}
