// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Value;
import io.heddle.internal.proto.xds.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyNodeTest {

  private static final String DOMAIN = "cluster.local";

  private static Map<String, String> pod() {
    return new LinkedHashMap<>(
        Map.of(
            "POD_NAME", "web-1",
            "POD_NAMESPACE", "shop",
            "INSTANCE_IP", "10.0.0.5",
            "NODE_NAME", "n1"));
  }

  private static Node node(Map<String, String> environment) {
    return NodeEnvironment.read(environment, DOMAIN).message();
  }

  private static Value metadata(Map<String, String> environment, String name) {
    return node(environment).getMetadata().getFieldsOrThrow(name);
  }

  @Test
  @DisplayName("the id has four parts, and the metadata says what istiod compares with the token")
  void idAndMetadata() {
    Node node = node(pod());

    assertThat(node.getId()).isEqualTo("ztunnel~10.0.0.5~web-1.shop~shop.svc.cluster.local");
    assertThat(node.getMetadata().getFieldsMap())
        .containsOnlyKeys("NAME", "NAMESPACE", "INSTANCE_IPS", "NODE_NAME");
    assertThat(metadata(pod(), "NAMESPACE").getStringValue()).isEqualTo("shop");
  }

  @Test
  @DisplayName("variables with the prefix are copied as text, JSON ones keep their types")
  void prefixedVariables() {
    Map<String, String> environment = pod();
    environment.put("ISTIO_META_CLUSTER_ID", "c1");
    environment.put("ISTIO_META_SOME_FLAG", "true");
    environment.put("ISTIO_METAJSON_LABELS", "{\"app\": \"web\", \"n\": 3, \"on\": true}");

    assertThat(metadata(environment, "CLUSTER_ID").getStringValue()).isEqualTo("c1");
    assertThat(metadata(environment, "SOME_FLAG").getStringValue()).isEqualTo("true");
    Map<String, Value> labels = metadata(environment, "LABELS").getStructValue().getFieldsMap();
    assertThat(labels.get("app").getStringValue()).isEqualTo("web");
    assertThat(labels.get("n").getNumberValue()).isEqualTo(3);
    assertThat(labels.get("on").getBoolValue()).isTrue();
  }

  @Test
  @DisplayName("the metadata of the proxy configuration is copied, the own variable goes before it")
  void proxyConfiguration() {
    Map<String, String> environment = pod();
    environment.put("PROXY_CONFIG", "proxyMetadata:\n  NETWORK: n1\n  CLUSTER_ID: c0\n");
    environment.put("ISTIO_META_CLUSTER_ID", "c1");

    assertThat(metadata(environment, "NETWORK").getStringValue()).isEqualTo("n1");
    assertThat(metadata(environment, "CLUSTER_ID").getStringValue()).isEqualTo("c1");
  }

  @ParameterizedTest(name = "without {0} the error names it")
  @ValueSource(strings = {"POD_NAME", "POD_NAMESPACE"})
  void missingVariable(String name) {
    Map<String, String> environment = pod();
    environment.remove(name);

    assertThatThrownBy(() -> node(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("downward API");
  }

  @Test
  @DisplayName("JSON that cannot be read is refused by the variable's name")
  void brokenJson() {
    Map<String, String> environment = pod();
    environment.put("ISTIO_METAJSON_LABELS", "{\"app\": ");

    assertThatThrownBy(() -> node(environment)).hasMessageContaining("ISTIO_METAJSON_LABELS");
  }

  @Test
  @DisplayName("a part that would make a fifth part of the id is refused")
  void tilde() {
    assertThatThrownBy(
            () -> new ProxyNode(ProxyNode.ZTUNNEL, "10.0.0.5", "a~b", "shop", DOMAIN, Map.of()))
        .hasMessageContaining("podName: 'a~b'");
  }
}
