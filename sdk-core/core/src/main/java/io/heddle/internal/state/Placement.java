// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * Where workloads run: those of one node share one.
 *
 * @param node the node
 * @param locality the locality
 */
public record Placement(String node, Locality locality) {

  /** The same placement made of parts that others are made of too. */
  Placement sharing(SharedParts parts) {
    return new Placement(
        node,
        new Locality(
            parts.text(locality.region()),
            parts.text(locality.zone()),
            parts.text(locality.subzone())));
  }
}
