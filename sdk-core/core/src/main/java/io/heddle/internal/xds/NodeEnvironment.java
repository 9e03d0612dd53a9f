// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The node as a pod's environment describes it, under the node proxy's own names (control-plane
 * reference 1.7).
 */
public final class NodeEnvironment {

  private static final String TEXT_PREFIX = "ISTIO_META_";
  private static final String JSON_PREFIX = "ISTIO_METAJSON_";
  private static final String PROXY_CONFIG = "PROXY_CONFIG";

  /** What the node proxy says when it does not know: an address has to be there. */
  private static final String UNKNOWN_IP = "1.1.1.1";

  private NodeEnvironment() {}

  /**
   * Reads the environment.
   *
   * @param environment its variables
   * @param clusterDomain the DNS domain of the cluster
   * @throws IllegalArgumentException naming the variable that is missing or malformed
   */
  public static ProxyNode read(Map<String, String> environment, String clusterDomain) {
    Map<String, Value> metadata = new LinkedHashMap<>();
    proxyMetadata(environment.getOrDefault(PROXY_CONFIG, ""), metadata);
    String node = environment.getOrDefault("NODE_NAME", "");
    if (!node.isEmpty()) {
      metadata.put("NODE_NAME", ProxyNode.text(node));
    }
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(TEXT_PREFIX)) {
            metadata.put(name.substring(TEXT_PREFIX.length()), ProxyNode.text(value));
          } else if (name.startsWith(JSON_PREFIX)) {
            metadata.put(name.substring(JSON_PREFIX.length()), value(parsed(name, value)));
          }
        });
    return new ProxyNode(
        ProxyNode.ZTUNNEL,
        environment.getOrDefault("INSTANCE_IP", UNKNOWN_IP),
        required(environment, "POD_NAME"),
        required(environment, "POD_NAMESPACE"),
        clusterDomain,
        metadata);
  }

  private static String required(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          name + " is not set (give it to the container by the downward API)");
    }
    return value;
  }

  private static void proxyMetadata(String config, Map<String, Value> metadata) {
    if (config.isEmpty()) {
      return;
    }
    if (!(parsed(PROXY_CONFIG, config) instanceof Map<?, ?> fields)) {
      throw new IllegalArgumentException(PROXY_CONFIG + " is not a mapping");
    }
    if (fields.get("proxyMetadata") instanceof Map<?, ?> entries) {
      entries.forEach(
          (name, value) ->
              metadata.put(String.valueOf(name), ProxyNode.text(String.valueOf(value))));
    }
  }

  private static @Nullable Object parsed(String name, String text) {
    try {
      return new Load(LoadSettings.builder().setLabel(name).build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Value value(@Nullable Object parsed) {
    Value.Builder value = Value.newBuilder();
    if (parsed == null) {
      value.setNullValue(NullValue.NULL_VALUE);
    } else if (parsed instanceof Boolean flag) {
      value.setBoolValue(flag);
    } else if (parsed instanceof Number number) {
      value.setNumberValue(number.doubleValue());
    } else if (parsed instanceof List<?> elements) {
      ListValue.Builder list = ListValue.newBuilder();
      elements.forEach(element -> list.addValues(value(element)));
      value.setListValue(list);
    } else if (parsed instanceof Map<?, ?> entries) {
      Struct.Builder struct = Struct.newBuilder();
      entries.forEach((name, entry) -> struct.putFields(String.valueOf(name), value(entry)));
      value.setStructValue(struct);
    } else {
      value.setStringValue(parsed.toString());
    }
    return value.build();
  }
}
