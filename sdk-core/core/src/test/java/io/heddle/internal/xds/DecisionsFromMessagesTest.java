// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static io.heddle.internal.xds.Responses.WEB;
import static io.heddle.internal.xds.Responses.bytes;
import static io.heddle.internal.xds.Responses.pod;
import static io.heddle.internal.xds.Responses.uid;
import static io.heddle.internal.xds.Responses.web;
import static io.heddle.internal.xds.Responses.webPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.ApplicationTunnel;
import io.heddle.internal.proto.workload.GatewayAddress;
import io.heddle.internal.proto.workload.LoadBalancing;
import io.heddle.internal.proto.workload.Locality;
import io.heddle.internal.proto.workload.NetworkAddress;
import io.heddle.internal.proto.workload.Port;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.Service;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.WeightedWaypoint;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.route.Decision;
import io.heddle.internal.route.RouteRequest;
import io.heddle.internal.route.RouteSettings;
import io.heddle.internal.route.Router;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.wds.AddressReader;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided about connections, from the bytes that a control plane sends. */
class DecisionsFromMessagesTest {

  private static final Random RANDOM = new Random(13);
  private static final int DIALS = 4_000;

  /** Endpoints of web here, in another zone, and in another network. */
  private static List<Decision> dials(Locality here, LoadBalancing.Mode mode) {
    LoadBalancing.Builder balancing =
        LoadBalancing.newBuilder()
            .setMode(mode)
            .addRoutingPreference(LoadBalancing.Scope.NETWORK)
            .addRoutingPreference(LoadBalancing.Scope.ZONE);
    return dials(
        Stream.of(
            address(client().setLocality(here)),
            address(
                web()
                    .setLoadBalancing(balancing)
                    .addSubjectAltNames("spiffe://cluster.local/ns/shop/sa/default")),
            address(meshed(webPod("near", "10.0.0.2")).setLocality(zone("z1"))),
            address(meshed(webPod("far", "10.0.0.3")).setLocality(zone("z2"))),
            address(
                meshed(webPod("abroad", "10.0.0.4"))
                    .setNetwork("abroad")
                    .setNetworkGateway(gateway("10.0.0.9"))
                    .setLocality(zone("z1"))),
            address(meshed(pod("gateway", "10.0.0.9")))));
  }

  @Test
  @DisplayName("CP-13 FAILOVER dials the endpoints of the best rank and no others")
  void bestRank() {
    assertThat(endpoints(dials(zone("z1"), LoadBalancing.Mode.FAILOVER))).containsExactly("near");
  }

  @Test
  @DisplayName(
      "CP-13 FAILOVER puts the network first: another zone of it goes before its own abroad")
  void networkFirst() {
    assertThat(endpoints(dials(zone("z2"), LoadBalancing.Mode.FAILOVER))).containsExactly("far");
    assertThat(endpoints(dials(zone("z3"), LoadBalancing.Mode.FAILOVER)))
        .containsExactly("far", "near");
  }

  @Test
  @DisplayName("CP-13 STRICT dials the endpoints that match in everything")
  void strict() {
    assertThat(endpoints(dials(zone("z2"), LoadBalancing.Mode.STRICT))).containsExactly("far");
  }

  @Test
  @DisplayName("CP-13 STRICT dials none where none matches in everything")
  void strictYieldsNone() {
    assertThat(dials(zone("z3"), LoadBalancing.Mode.STRICT))
        .allSatisfy(decision -> assertThat(decision).isInstanceOf(Decision.Refused.class));
  }

  static Stream<Arguments> portSources() {
    return Stream.of(
        Arguments.of("the endpoint's own map goes first", 9090, 8080, 9090),
        Arguments.of("then the service's target", 0, 8080, 8080),
        Arguments.of("then a tunnel of the application keeps the port", 0, 0, 80));
  }

  @ParameterizedTest(name = "CP-14 {0}")
  @MethodSource("portSources")
  void portMappings(String what, int ofEndpoint, int ofService, int expected) {
    Workload.Builder waypoint =
        meshed(pod("waypoint", "10.0.0.9"))
            .putServices(WEB, ports(ofEndpoint))
            .setApplicationTunnel(
                ApplicationTunnel.newBuilder()
                    .setProtocol(ApplicationTunnel.Protocol.PROXY)
                    .setPort(15_088));
    Service.Builder ofWaypoint = web().clearPorts().addAllPorts(ports(ofService).getPortsList());
    List<Decision> dials =
        dials(
            Stream.of(
                address(client()),
                address(waypoint),
                address(ofWaypoint),
                address(
                    target().setWaypoint(gateway("10.96.0.1").toBuilder().setHboneMtlsPort(80)))),
            "10.96.0.2:80");

    assertThat(dials)
        .as(what)
        .allSatisfy(
            decision ->
                assertThat(decision)
                    .isInstanceOfSatisfying(
                        Decision.Hbone.class,
                        to -> assertThat(to.address().getPort()).isEqualTo(expected)));
  }

  static Stream<Arguments> weights() {
    return Stream.of(
        Arguments.of("75 to 25", 75, 25, Map.of("first", 0.75, "second", 0.25)),
        Arguments.of("all to one", 0, 7, Map.of("second", 1.0)),
        Arguments.of("zero means the plain one", 0, 0, Map.of("plain", 1.0)));
  }

  @ParameterizedTest(name = "CP-15 weights of waypoints: {0}")
  @MethodSource("weights")
  void weightedWaypoints(String what, int first, int second, Map<String, Double> expected) {
    Service.Builder service =
        target()
            .setWaypoint(gateway("10.0.0.7"))
            .addWeightedWaypoints(weighted("10.0.0.8", first))
            .addWeightedWaypoints(weighted("10.0.0.9", second));
    List<Decision> dials =
        dials(
            Stream.of(
                address(client()),
                address(service),
                address(meshed(pod("plain", "10.0.0.7"))),
                address(meshed(pod("first", "10.0.0.8"))),
                address(meshed(pod("second", "10.0.0.9")))),
            "10.96.0.2:80");
    Map<String, Double> shares = new HashMap<>();
    dials.forEach(decision -> shares.merge(endpoint(decision), 1.0 / DIALS, Double::sum));

    assertThat(shares.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (waypoint, share) ->
            assertThat(shares.get(waypoint)).isBetween(share - 0.04, share + 0.04));
  }

  private static List<Decision> dials(Stream<Address> messages) {
    return dials(messages, "10.96.0.1:80");
  }

  private static List<Decision> dials(Stream<Address> messages, String destination) {
    AddressReader reader = new AddressReader(RANDOM);
    UpdateBatch.Builder batch = UpdateBatch.changes();
    messages.forEach(message -> batch.put(reader.read(nameOf(message), message.toByteString())));
    MeshSnapshot state = new WorkloadIndex("", UnknownPolicies.REFUSE).apply(batch.build());
    Router router = new Router(RouteSettings.of(""));
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < DIALS; i++) {
      decisions.add(
          router.route(
              new RouteRequest(
                  state,
                  Objects.requireNonNull(state.workload(uid("client"))),
                  Authority.parse(destination),
                  StandardProtocolFamily.INET,
                  RANDOM)));
    }
    return decisions;
  }

  private static Set<String> endpoints(List<Decision> decisions) {
    Set<String> names = new TreeSet<>();
    decisions.forEach(decision -> names.add(endpoint(decision)));
    return names;
  }

  private static String endpoint(Decision decision) {
    return decision instanceof Decision.Hbone to ? to.workload().name() : decision.toString();
  }

  private static String nameOf(Address message) {
    return message.hasWorkload()
        ? message.getWorkload().getUid()
        : message.getService().getNamespace() + "/" + message.getService().getHostname();
  }

  private static Address address(Workload.Builder workload) {
    return Address.newBuilder().setWorkload(workload).build();
  }

  private static Address address(Service.Builder service) {
    return Address.newBuilder().setService(service).build();
  }

  private static Workload.Builder client() {
    return meshed(pod("client", "10.0.0.1"));
  }

  private static Workload.Builder meshed(Workload.Builder pod) {
    return pod.setTunnelProtocol(TunnelProtocol.HBONE);
  }

  /** A service without endpoints of its own, at 10.96.0.2. */
  private static Service.Builder target() {
    return web()
        .setName("target")
        .setHostname("target.shop.svc.cluster.local")
        .clearAddresses()
        .addAddresses(NetworkAddress.newBuilder().setAddress(bytes("10.96.0.2")));
  }

  private static Locality zone(String zone) {
    return Locality.newBuilder().setRegion("r1").setZone(zone).build();
  }

  private static GatewayAddress gateway(String address) {
    return GatewayAddress.newBuilder()
        .setAddress(NetworkAddress.newBuilder().setAddress(bytes(address)))
        .setHboneMtlsPort(15_008)
        .build();
  }

  private static WeightedWaypoint weighted(String address, int weight) {
    return WeightedWaypoint.newBuilder().setDestination(gateway(address)).setWeight(weight).build();
  }

  /** Port 80 to a target, or no port at all. */
  private static PortList ports(int target) {
    PortList.Builder ports = PortList.newBuilder();
    if (target != 0) {
      ports.addPorts(Port.newBuilder().setServicePort(80).setTargetPort(target));
    }
    return ports.build();
  }
}
