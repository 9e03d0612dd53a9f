// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/**
 * Counts of a mesh at one moment.
 *
 * @param connectionsOpened TLS connections opened to peers since the start
 * @param connectionsOpen of these, open now
 * @param tunnelsOpen outbound tunnels open now
 * @param inboundTunnels inbound tunnels open now
 * @param retries attempts since the start that followed one that failed at another endpoint
 * @param ejectedEndpoints endpoints left out now because dials have failed
 */
public record MeshStatistics(
    long connectionsOpened,
    long connectionsOpen,
    long tunnelsOpen,
    long inboundTunnels,
    long retries,
    long ejectedEndpoints) {}
