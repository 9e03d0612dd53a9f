// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

/**
 * What the pool of an {@link HboneClient} holds, and what it has done. The numbers of now are taken
 * target by target, so they may not add up while tunnels come and go.
 *
 * @param targets kept apart: peer address, expected identities and source address
 * @param connections that take new tunnels
 * @param leavingConnections that only finish the tunnels they carry, after GOAWAY for example
 * @param connecting connections being made
 * @param waiting opens that wait for a connection or for a stream of one
 * @param tunnels open or being opened
 * @param connected connections made so far; one that the peer refused at the last step of TLS does
 *     not count
 * @param connectsFailed connections that could not be made
 * @param opensRetried opens that were tried again because the peer surely had not processed them
 */
public record PoolStatistics(
    int targets,
    int connections,
    int leavingConnections,
    int connecting,
    int waiting,
    int tunnels,
    long connected,
    long connectsFailed,
    long opensRetried) {}
