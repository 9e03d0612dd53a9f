// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the dump writes what several of its collections contain. What is empty is left out. */
final class DumpJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private DumpJson() {}

  static ObjectNode object() {
    return NODES.objectNode();
  }

  static ArrayNode array() {
    return NODES.arrayNode();
  }

  static void text(ObjectNode to, String name, String value) {
    if (!value.isEmpty()) {
      to.put(name, value);
    }
  }

  static void flag(ObjectNode to, String name, boolean value) {
    if (value) {
      to.put(name, true);
    }
  }

  static void texts(ObjectNode to, String name, Collection<String> values) {
    if (!values.isEmpty()) {
      ArrayNode array = to.putArray(name);
      values.forEach(array::add);
    }
  }

  static void gateway(ObjectNode to, String name, @Nullable GatewayAddress gateway) {
    if (gateway != null) {
      to.putObject(name)
          .put("destination", text(gateway))
          .put("hboneMtlsPort", gateway.hboneMtlsPort());
    }
  }

  static String text(GatewayAddress gateway) {
    return gateway instanceof GatewayAddress.ByAddress at ? text(at.address()) : gateway.toString();
  }

  static String text(NetworkAddress address) {
    return address.network() + "/" + text(address.address());
  }

  /** Shortened as the peers do it (RFC 5952), so that texts of both can be compared. */
  static String text(InetAddress address) {
    return NetUtil.toAddressString(address);
  }

  static ObjectNode ports(PortMap ports) {
    ObjectNode object = object();
    ports.asMap().forEach((service, target) -> object.put(service.toString(), target));
    return object;
  }

  /** A constant as the format spells it: {@code ALLOW_ALL} is {@code AllowAll}. */
  static String camel(Enum<?> constant) {
    StringBuilder text = new StringBuilder();
    for (String word : constant.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
