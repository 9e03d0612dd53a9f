// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.Workload;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Which of a workload's addresses to dial (HBONE reference 2.5). */
final class DialAddress {

  private DialAddress() {}

  /** Whether there is an admitted address, or a name that may have one. */
  static boolean exists(Workload workload, IpFamilies admitted) {
    if (!workload.hostname().isEmpty()) {
      return true;
    }
    for (InetAddress address : workload.addresses()) {
      if (admitted.admits(address)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The address that the application itself dialled, if the workload owns it; else the first
   * admitted one of the preferred family; else the first admitted one; else null.
   */
  static @Nullable InetAddress of(
      Workload workload,
      IpFamilies admitted,
      @Nullable InetAddress dialled,
      StandardProtocolFamily preferred) {
    int owned = dialled == null ? -1 : workload.addresses().indexOf(dialled);
    if (owned >= 0) {
      // The record's own value, which all connections to it then share.
      return workload.addresses().get(owned);
    }
    return firstOf(workload.addresses(), admitted, preferred);
  }

  /** The first admitted address of the preferred family, else of the other, else null. */
  static @Nullable InetAddress firstOf(
      List<InetAddress> addresses, IpFamilies admitted, StandardProtocolFamily preferred) {
    InetAddress fallback = null;
    for (InetAddress address : addresses) {
      if (admitted.admits(address)) {
        if (familyOf(address) == preferred) {
          return address;
        }
        fallback = fallback == null ? address : fallback;
      }
    }
    return fallback;
  }

  /** The other admitted addresses of a workload, those of the other family first (RFC 8305). */
  static List<InetAddress> others(Workload workload, IpFamilies admitted, InetAddress dialled) {
    if (workload.addresses().size() < 2) {
      return List.of();
    }
    return workload.addresses().stream()
        .filter(address -> !address.equals(dialled) && admitted.admits(address))
        .sorted(Comparator.comparing(address -> familyOf(address) == familyOf(dialled)))
        .toList();
  }

  /** A random one of the preferred family, else a random one; of at least one. */
  static InetAddress randomOf(
      List<InetAddress> addresses, StandardProtocolFamily preferred, RandomGenerator random) {
    List<InetAddress> canonical = addresses.stream().map(IpAddresses::canonical).toList();
    List<InetAddress> matching =
        canonical.stream().filter(address -> familyOf(address) == preferred).toList();
    List<InetAddress> among = matching.isEmpty() ? canonical : matching;
    return among.get(random.nextInt(among.size()));
  }

  static StandardProtocolFamily familyOf(InetAddress address) {
    return address instanceof Inet4Address
        ? StandardProtocolFamily.INET
        : StandardProtocolFamily.INET6;
  }
}
