// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.dev.internal.catalog.Announcement;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.security.Match;
import io.heddle.internal.proto.security.StringMatch;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.ApplicationTunnel;
import io.heddle.internal.proto.workload.IPFamilies;
import io.heddle.internal.proto.workload.LoadBalancing;
import io.heddle.internal.proto.workload.NetworkMode;
import io.heddle.internal.proto.workload.Service;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.workload.WorkloadStatus;
import io.heddle.internal.proto.workload.WorkloadType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every field of the local format becomes the field of a message that istiod would fill. */
class MessagesTest {

  private final Catalog catalog = Catalog.of(MeshState.parse(everyField()).config());

  private static String everyField() {
    try (InputStream in = MessagesTest.class.getResourceAsStream("/every-field.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Address address(String name) throws Exception {
    Announcement announcement = catalog.addresses().get(name);
    return announcement.content().unpack(Address.class);
  }

  @Test
  @DisplayName("a workload")
  void workload() throws Exception {
    Workload workload = address("c1//Pod/app/web-1").getWorkload();
    assertThat(workload.getUid()).isEqualTo("c1//Pod/app/web-1");
    assertThat(workload.getName()).isEqualTo("web-1");
    assertThat(workload.getNamespace()).isEqualTo("app");
    assertThat(workload.getServiceAccount()).isEqualTo("web");
    assertThat(workload.getTrustDomain()).isEqualTo("example.org");
    assertThat(workload.getClusterId()).isEqualTo("c1");
    assertThat(workload.getNetwork()).isEqualTo("net1");
    assertThat(workload.getNode()).isEqualTo("node1");
    assertThat(workload.getAddressesList())
        .extracting(bytes -> bytes.size())
        .containsExactly(4, 16);
    assertThat(workload.getTunnelProtocol()).isEqualTo(TunnelProtocol.HBONE);
    assertThat(workload.getNativeTunnel()).isTrue();
    assertThat(workload.getStatus()).isEqualTo(WorkloadStatus.UNHEALTHY);
    assertThat(workload.getWorkloadName()).isEqualTo("web");
    assertThat(workload.getWorkloadType()).isEqualTo(WorkloadType.JOB);
    assertThat(workload.getCanonicalName()).isEqualTo("web-canonical");
    assertThat(workload.getCanonicalRevision()).isEqualTo("v7");
    assertThat(workload.getAuthorizationPoliciesList()).containsExactly("app/rules");
    assertThat(workload.getLocality().getRegion()).isEqualTo("eu");
    assertThat(workload.getLocality().getZone()).isEqualTo("eu-a");
    assertThat(workload.getLocality().getSubzone()).isEqualTo("rack");
    assertThat(workload.getCapacity().getValue()).isEqualTo(7);
    assertThat(workload.getApplicationTunnel().getProtocol())
        .isEqualTo(ApplicationTunnel.Protocol.PROXY);
    assertThat(workload.getApplicationTunnel().getPort()).isEqualTo(15088);
    assertThat(workload.getServicesMap().keySet()).containsExactly("app/web.app.svc.cluster.local");
    var port = workload.getServicesOrThrow("app/web.app.svc.cluster.local").getPorts(0);
    assertThat(port.getServicePort()).isEqualTo(80);
    assertThat(port.getTargetPort()).isEqualTo(8080);
    assertThat(workload.getWaypoint().getAddress().getNetwork()).isEqualTo("net1");
    assertThat(workload.getWaypoint().getHboneMtlsPort()).isEqualTo(15008);
    assertThat(workload.getNetworkGateway().getHostname().getHostname())
        .isEqualTo("gateway.istio-system.svc.cluster.local");
  }

  @Test
  @DisplayName("a workload without anything: the trust domain and the capacity are left out")
  void plainWorkload() throws Exception {
    Workload workload = address("plain").getWorkload();
    assertThat(workload.getTrustDomain()).isEmpty();
    assertThat(workload.getTunnelProtocol()).isEqualTo(TunnelProtocol.NONE);
    assertThat(workload.getNetworkMode()).isEqualTo(NetworkMode.HOST_NETWORK);
    assertThat(workload.hasCapacity()).isFalse();
    assertThat(workload.hasWaypoint()).isFalse();
    assertThat(workload.hasNetworkGateway()).isFalse();
    assertThat(workload.hasApplicationTunnel()).isFalse();
    assertThat(workload.hasLocality()).isFalse();
    assertThat(workload.getHostname()).isEqualTo("db.example.org");
  }

  @Test
  @DisplayName("a service")
  void service() throws Exception {
    Service service = address("app/web.app.svc.cluster.local").getService();
    assertThat(service.getName()).isEqualTo("web");
    assertThat(service.getNamespace()).isEqualTo("app");
    assertThat(service.getHostname()).isEqualTo("web.app.svc.cluster.local");
    assertThat(service.getCanonical()).isTrue();
    assertThat(service.getVisibility()).isEqualTo(Service.Visibility.NAMESPACE);
    assertThat(service.getSubjectAltNamesList())
        .containsExactly("spiffe://cluster.local/ns/app/sa/extra");
    assertThat(service.getIpFamilies()).isEqualTo(IPFamilies.IPV4_ONLY);
    assertThat(service.getLoadBalancing().getMode()).isEqualTo(LoadBalancing.Mode.FAILOVER);
    assertThat(service.getLoadBalancing().getHealthPolicy())
        .isEqualTo(LoadBalancing.HealthPolicy.ALLOW_ALL);
    assertThat(service.getLoadBalancing().getRoutingPreferenceList())
        .containsExactly(LoadBalancing.Scope.NETWORK, LoadBalancing.Scope.REGION);
    assertThat(service.getWaypoint().getHostname().getNamespace()).isEqualTo("app");
    assertThat(service.getAddressesList()).hasSize(2);
    assertThat(service.getAddresses(0).hasLength()).isFalse();
    assertThat(service.getAddresses(1).getLength()).isEqualTo(24);
  }

  @Test
  @DisplayName("a policy with every condition")
  void policy() throws Exception {
    Authorization policy =
        catalog.policies().get("app/rules").content().unpack(Authorization.class);
    assertThat(policy.getName()).isEqualTo("rules");
    assertThat(policy.getScopeValue()).isEqualTo(2);
    assertThat(policy.getActionValue()).isEqualTo(1);
    assertThat(policy.getDryRun()).isTrue();
    Match match = policy.getRules(0).getClauses(0).getMatches(0);
    assertThat(match.getNamespaces(0)).isEqualTo(exact("one"));
    assertThat(match.getNotNamespaces(0)).isEqualTo(exact("two"));
    assertThat(match.getPrincipals(0).getPrefix()).isEqualTo("cluster.local/");
    assertThat(match.getPrincipals(1).getSuffix()).isEqualTo("/sa/web");
    assertThat(match.getNotPrincipals(0).hasPresence()).isTrue();
    assertThat(match.getSourceIps(0).getLength()).isEqualTo(8);
    assertThat(match.getNotSourceIps(0).getLength()).isEqualTo(32);
    assertThat(match.getDestinationIps(0).getAddress().size()).isEqualTo(16);
    assertThat(match.getNotDestinationIps(0).getAddress().size()).isEqualTo(4);
    assertThat(match.getDestinationPortsList()).containsExactly(80);
    assertThat(match.getNotDestinationPortsList()).containsExactly(81);
    assertThat(match.getServiceAccounts(0).getServiceAccount()).isEqualTo("web");
    assertThat(match.getNotServiceAccounts(0).getNamespace()).isEqualTo("other");
  }

  private static StringMatch exact(String text) {
    return StringMatch.newBuilder().setExact(text).build();
  }
}
