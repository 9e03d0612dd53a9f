// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.Cidr;

/**
 * An IP prefix within a network.
 *
 * @param network the network, empty for the default one
 * @param cidr the prefix
 */
public record NetworkCidr(String network, Cidr cidr) {
  @Override
  public String toString() {
    return network + "/" + cidr;
  }
}
