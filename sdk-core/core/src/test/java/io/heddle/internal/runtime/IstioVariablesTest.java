// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.state.WorkloadInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IstioVariablesTest {

  private static final Map<String, String> POD =
      Map.of("POD_NAME", "web-1", "POD_NAMESPACE", "shop", "SERVICE_ACCOUNT", "web");

  @Test
  @DisplayName("in a cluster the downward API is enough")
  void defaultsInCluster() {
    IstioVariables variables = with("KUBERNETES_SERVICE_HOST", "10.0.0.1");

    assertThat(variables.discovery()).hasToString("istiod.istio-system.svc:15012");
    assertThat(variables.authority()).hasToString("istiod.istio-system.svc:15012");
    assertThat(variables.clusterId()).isEqualTo("Kubernetes");
    assertThat(variables.lifetime()).isEqualTo(Duration.ofHours(24));
    assertThat(variables.workload()).isEqualTo(new WorkloadInfo("web-1", "shop", "web"));
    assertThat(variables.uid(variables.workload())).isEqualTo("Kubernetes//Pod/shop/web-1");
  }

  @Test
  @DisplayName("outside of a cluster the control plane is on this host")
  void defaultsOnHost() {
    assertThat(new IstioVariables(POD).discovery()).hasToString("localhost:15012");
  }

  @Test
  @DisplayName("discovery and authority have addresses of their own")
  void twoAddresses() {
    Map<String, String> variables = new HashMap<>(POD);
    variables.put("XDS_ADDRESS", "xds.test:1");
    variables.put("CA_ADDRESS", "https://ca.test:2");

    assertThat(new IstioVariables(variables).discovery()).hasToString("xds.test:1");
    assertThat(new IstioVariables(variables).authority()).hasToString("ca.test:2");
  }

  @Test
  @DisplayName("ISTIO_META_CLUSTER_ID wins over CLUSTER_ID")
  void clusterId() {
    Map<String, String> variables = new HashMap<>(POD);
    variables.put("CLUSTER_ID", "one");
    assertThat(new IstioVariables(variables).clusterId()).isEqualTo("one");

    variables.put("ISTIO_META_CLUSTER_ID", "two");
    assertThat(new IstioVariables(variables).clusterId()).isEqualTo("two");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"90s, PT1M30S", "5m, PT5M", "1h, PT1H", "2d, PT48H", "1500ms, PT1.5S"})
  @DisplayName("a life is a number and a unit")
  void lifetimes(String text, Duration expected) {
    assertThat(with("SECRET_TTL", text).lifetime()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"24", "1 h", "h", "-1h", "900ms", "99999999999h"})
  @DisplayName("a life that is none names the variable and the form")
  void badLifetimes(String text) {
    assertThatThrownBy(() -> with("SECRET_TTL", text).lifetime())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("SECRET_TTL is '" + text + "'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "POD_NAME, metadata.name",
    "POD_NAMESPACE, metadata.namespace",
    "SERVICE_ACCOUNT, spec.serviceAccountName"
  })
  @DisplayName("a missing name of the pod says where the downward API has it")
  void missing(String name, String field) {
    assertThatThrownBy(() -> with(name, "").workload())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining(name + " is not set")
        .hasMessageContaining(field);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "XDS_ADDRESS, ''",
    "XDS_ADDRESS, http://istiod:15010",
    "XDS_ADDRESS, istiod",
    "XDS_HEADER_a b, c"
  })
  @DisplayName("what is no control plane names the variable")
  void badAddresses(String name, String value) {
    assertThatThrownBy(() -> with(name, value).discovery())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("XDS_ADDRESS");
  }

  @Test
  @DisplayName("on-demand discovery is refused, not ignored")
  void onDemand() {
    assertThatThrownBy(() -> with("XDS_ON_DEMAND", "true").requireWholeMesh())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("XDS_ON_DEMAND");
  }

  @Test
  @DisplayName("the node is described with cluster and network, which metadata may override")
  void description() {
    WorkloadInfo info = new WorkloadInfo("web-1", "shop", "web");
    assertThat(with("NETWORK", "east").describing(info))
        .containsEntry("ISTIO_META_NETWORK", "east")
        .containsEntry("ISTIO_META_CLUSTER_ID", "Kubernetes")
        .containsEntry("POD_NAME", "web-1");
  }

  private static IstioVariables with(String name, String value) {
    Map<String, String> variables = new HashMap<>(POD);
    variables.put(name, value);
    return new IstioVariables(variables);
  }
}
