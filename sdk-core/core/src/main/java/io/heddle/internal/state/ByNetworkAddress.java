// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.IpAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;

/**
 * Candidates by network and address. Two levels, so that a look-up makes no key object.
 *
 * @param networks the candidates of each network
 * @param preference the preferred one first
 */
record ByNetworkAddress<V>(
    PersistentMap<String, Candidates<InetAddress, V>> networks, Comparator<V> preference) {

  static <V> ByNetworkAddress<V> none(Comparator<V> preference) {
    return new ByNetworkAddress<>(PersistentMap.empty(), preference);
  }

  List<V> of(String network, InetAddress address) {
    Candidates<InetAddress, V> candidates = networks.get(network);
    return candidates == null ? List.of() : candidates.of(canonical(address));
  }

  ByNetworkAddress<V> with(String network, InetAddress address, V value) {
    Candidates<InetAddress, V> candidates = networks.get(network);
    Candidates<InetAddress, V> changed =
        (candidates == null ? Candidates.<InetAddress, V>none(preference) : candidates)
            .with(address, value);
    return new ByNetworkAddress<>(networks.with(network, changed), preference);
  }

  ByNetworkAddress<V> without(String network, InetAddress address, V value) {
    Candidates<InetAddress, V> candidates = networks.get(network);
    if (candidates == null) {
      return this;
    }
    Candidates<InetAddress, V> rest = candidates.without(address, value);
    return new ByNetworkAddress<>(
        rest.isEmpty() ? networks.without(network) : networks.with(network, rest), preference);
  }

  /** An IPv4 address has one form only, and is what nearly every look-up asks for. */
  private static InetAddress canonical(InetAddress address) {
    return address instanceof Inet4Address ? address : IpAddresses.canonical(address);
  }
}
