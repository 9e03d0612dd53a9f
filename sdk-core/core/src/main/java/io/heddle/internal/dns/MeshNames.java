// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.heddle.internal.route.ServiceNames;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The addresses of services as a client of the mesh is to see them (HBONE reference 6). */
public final class MeshNames {

  private final ServiceNames names;
  private final boolean ipv6;
  private final Random random;

  /**
   * Answers for the services of a mesh.
   *
   * @param names finds the service that a name means
   * @param ipv6 whether IPv6 addresses are told at all
   * @param random puts the addresses in order
   */
  public MeshNames(ServiceNames names, boolean ipv6, Random random) {
    this.names = names;
    this.ipv6 = ipv6;
    this.random = random;
  }

  /** What the mesh says, or null if the name is not its affair. */
  @Nullable LocalAnswer answer(
      MeshSnapshot mesh, Workload client, String name, StandardProtocolFamily family) {
    ServiceNames.Found found = names.find(mesh, name, client.namespace());
    if (found == null) {
      return null;
    }
    List<InetAddress> addresses = new ArrayList<>(addresses(mesh, client, found.service(), family));
    Collections.shuffle(addresses, random);
    return new LocalAnswer(found.alias(), addresses);
  }

  private List<InetAddress> addresses(
      MeshSnapshot mesh, Workload client, Service service, StandardProtocolFamily family) {
    if (family == StandardProtocolFamily.INET6 && !ipv6) {
      return List.of();
    }
    List<InetAddress> addresses = new ArrayList<>();
    if (service.vips().isEmpty()) {
      for (Endpoint endpoint : mesh.endpoints(service.key()).all()) {
        endpoint.workload().addresses().stream()
            .filter(address -> isOf(address, family))
            .findFirst()
            .ifPresent(addresses::add);
      }
    } else {
      service.vips().stream()
          .filter(vip -> vip.network().equals(client.network()))
          .map(NetworkAddress::address)
          .filter(address -> isOf(address, family))
          .forEach(addresses::add);
    }
    addresses.removeIf(address -> !service.ipFamilies().admits(address));
    return addresses;
  }

  private static boolean isOf(InetAddress address, StandardProtocolFamily family) {
    return address instanceof Inet4Address == (family == StandardProtocolFamily.INET);
  }
}
