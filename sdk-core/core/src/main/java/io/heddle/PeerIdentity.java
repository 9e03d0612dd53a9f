// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.identity.SpiffeId;
import java.util.Objects;
import java.util.Optional;

/**
 * The identity at the other end of a connection, proven by mutual TLS. Where a waypoint stands in
 * the path this is the waypoint, and {@link #isWaypoint} says so: the original caller is a
 * different claim, made by somebody else.
 *
 * @param spiffeId the verified SPIFFE id
 * @param isWaypoint whether this peer is a waypoint that speaks for somebody else
 */
public record PeerIdentity(SpiffeId spiffeId, boolean isWaypoint) {

  /**
   * Checks that an id is given.
   *
   * @param spiffeId the verified SPIFFE id
   * @param isWaypoint whether this peer is a waypoint that speaks for somebody else
   */
  public PeerIdentity {
    Objects.requireNonNull(spiffeId, "spiffeId");
  }

  /**
   * The trust domain that vouches for the peer.
   *
   * @return its name
   */
  public String trustDomain() {
    return spiffeId.trustDomain().name();
  }

  /**
   * The Kubernetes namespace in the id.
   *
   * @return empty where the id is not of the form {@code /ns/<namespace>/sa/<account>}
   */
  public Optional<String> namespace() {
    return spiffeId.namespace();
  }

  /**
   * The Kubernetes service account in the id.
   *
   * @return empty where the id is not of the form {@code /ns/<namespace>/sa/<account>}
   */
  public Optional<String> serviceAccount() {
    return spiffeId.serviceAccount();
  }

  @Override
  public String toString() {
    return isWaypoint ? spiffeId + " (waypoint)" : spiffeId.toString();
  }
}
