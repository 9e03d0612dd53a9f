// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.spi.ConnectionLabels;

/**
 * What is known of a connection when it has been decided about. Absent values are empty.
 *
 * @param labels the metric labels
 * @param sourceAddress address and port of the initiator
 * @param sourcePod its pod's name
 * @param destinationAddress next hop, of a tunnel including the HBONE port
 * @param authority what the CONNECT asks for; empty in plain TCP
 * @param destinationPod the destination pod's name
 */
public record ConnectionFacts(
    ConnectionLabels labels,
    String sourceAddress,
    String sourcePod,
    String destinationAddress,
    String authority,
    String destinationPod) {}
