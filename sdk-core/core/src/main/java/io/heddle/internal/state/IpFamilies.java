// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The address families that a service admits for its endpoints. */
public enum IpFamilies {
  /** Not stated: every family. */
  AUTOMATIC,
  /** IPv4 only. */
  IPV4_ONLY,
  /** IPv6 only. */
  IPV6_ONLY,
  /** Both. */
  DUAL;

  /** Whether an endpoint may be reached at the given address. */
  public boolean admits(InetAddress address) {
    return switch (this) {
      case AUTOMATIC, DUAL -> true;
      case IPV4_ONLY -> address instanceof Inet4Address;
      case IPV6_ONLY -> !(address instanceof Inet4Address);
    };
  }
}
