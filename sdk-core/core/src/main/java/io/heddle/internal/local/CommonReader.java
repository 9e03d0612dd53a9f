// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.PortMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts that workloads and services have in common. */
final class CommonReader {

  private static final int HBONE_PORT = 15_008;

  private CommonReader() {}

  /** Where a gateway is; the port is nearly always the same and may be left out. */
  static @Nullable GatewayAddress gateway(YamlMapping fields) {
    YamlValue destination = fields.required("destination");
    int port = fields.port("hboneMtlsPort", HBONE_PORT);
    fields.rejectOthers();
    return destination == null ? null : gateway(destination, port);
  }

  static @Nullable GatewayAddress gateway(YamlValue destination, int port) {
    return destination.parsed(
        text -> GatewayAddress.parse(text, port),
        "write network/ip (/ip in the default network) or namespace/hostname");
  }

  static PortMap ports(@Nullable YamlValue value) {
    if (value == null) {
      return PortMap.EMPTY;
    }
    Map<Integer, Integer> ports = new HashMap<>();
    value
        .mapping()
        .entries(
            port -> {
              Long service = port.getKey().number(1, 65_535);
              Long target = port.getValue().number(0, 65_535);
              if (service != null && target != null) {
                ports.put(service.intValue(), target.intValue());
              }
              return service;
            });
    return PortMap.of(ports);
  }

  static @Nullable NamespacedHostname serviceKey(YamlValue key) {
    return key.parsed(NamespacedHostname::parse, "write the service's namespace and hostname");
  }
}
