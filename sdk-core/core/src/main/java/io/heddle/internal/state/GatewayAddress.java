// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.IpAddresses;

/** Where a waypoint or a network gateway is found. */
public sealed interface GatewayAddress {

  /** The port of the gateway's tunnel server. */
  int hboneMtlsPort();

  /**
   * Reads {@code network/ip} or {@code namespace/hostname}.
   *
   * @throws IllegalArgumentException with the reason, when the text is anything else
   */
  static GatewayAddress parse(String destination, int hboneMtlsPort) {
    int slash = destination.indexOf('/');
    if (slash >= 0 && IpAddresses.parse(destination.substring(slash + 1)) != null) {
      return new ByAddress(NetworkAddress.parse(destination), hboneMtlsPort);
    }
    return new ByHostname(NamespacedHostname.parse(destination), hboneMtlsPort);
  }

  /**
   * A gateway known by address.
   *
   * @param address the address of a service or of a workload
   * @param hboneMtlsPort the port
   */
  record ByAddress(NetworkAddress address, int hboneMtlsPort) implements GatewayAddress {
    /** Checks the port. */
    public ByAddress {
      PortMap.requirePort(hboneMtlsPort, "gateway port");
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }

  /**
   * A gateway known by name.
   *
   * @param hostname the name of a service or of a workload
   * @param hboneMtlsPort the port
   */
  record ByHostname(NamespacedHostname hostname, int hboneMtlsPort) implements GatewayAddress {
    /** Checks the port. */
    public ByHostname {
      PortMap.requirePort(hboneMtlsPort, "gateway port");
    }

    @Override
    public String toString() {
      return hostname.toString();
    }
  }
}
