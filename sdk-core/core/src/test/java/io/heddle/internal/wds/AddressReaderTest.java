// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UnknownFieldSet;
import io.heddle.hbone.WorkloadType;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.ApplicationTunnel;
import io.heddle.internal.proto.workload.GatewayAddress;
import io.heddle.internal.proto.workload.LoadBalancing;
import io.heddle.internal.proto.workload.Locality;
import io.heddle.internal.proto.workload.NamespacedHostname;
import io.heddle.internal.proto.workload.NetworkAddress;
import io.heddle.internal.proto.workload.NetworkMode;
import io.heddle.internal.proto.workload.Port;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.Service;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.workload.WorkloadStatus;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Visibility;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressReaderTest {

  private static final String UID = "c1//Pod/shop/web-1";
  private static final String WEB = "shop/web.shop.svc.cluster.local";
  private static final int UNKNOWN = 99;

  private final AddressReader reader = new AddressReader(new Random(1));

  @Test
  @DisplayName("every field of a workload is read, and what istiod leaves out is filled in")
  void workloadFields() {
    io.heddle.internal.state.Workload web = read(workload -> {});

    assertThat(web.uid()).isEqualTo(UID);
    assertThat(web.name()).isEqualTo("web-1");
    assertThat(web.namespace()).isEqualTo("shop");
    assertThat(web.clusterId()).isEqualTo("c1");
    assertThat(web.addresses()).containsExactly(IpAddresses.parse("10.0.0.5"));
    assertThat(web.protocol()).isEqualTo(Protocol.HBONE);
    assertThat(web.status()).isEqualTo(HealthStatus.HEALTHY);
    assertThat(web.node()).isEqualTo("node-a");
    assertThat(web.locality()).isEqualTo(new io.heddle.internal.state.Locality("r1", "z1", ""));
    assertThat(web.workloadType()).isEqualTo(WorkloadType.POD);
    assertThat(web.canonicalName()).isEqualTo("web");
    assertThat(web.authorizationPolicies()).containsExactly("shop/allow-gw");
    assertThat(web.services().keySet()).hasToString("[" + WEB + "]");
    assertThat(web.services().values().iterator().next().asMap()).isEqualTo(Map.of(80, 8080));
    assertThat(web.trustDomain()).isEqualTo("cluster.local");
    assertThat(web.serviceAccount()).isEqualTo("default");
    assertThat(web.capacity()).isEqualTo(1);
  }

  @Test
  @DisplayName("a cluster that is left out is Kubernetes, and a capacity of 0 is kept")
  void defaults() {
    io.heddle.internal.state.Workload web =
        read(workload -> workload.clearClusterId().setCapacity(UInt32Value.of(0)));

    assertThat(web.clusterId()).isEqualTo("Kubernetes");
    assertThat(web.capacity()).isZero();
  }

  @ParameterizedTest(name = "a message means the same divided or whole, seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void dividedLikeWhole(long seed) throws Exception {
    Random random = new Random(seed);
    WorkloadReader whole =
        new WorkloadReader(new io.heddle.internal.state.SharedParts(), new Random(seed));
    for (int i = 0; i < 500; i++) {
      Workload message = random(random);
      ByteString body = Address.newBuilder().setWorkload(message).build().toByteString();

      assertThat(reader.read(message.getUid(), body)).isEqualTo(whole.read(message));
    }
  }

  @Test
  @DisplayName("what siblings and neighbours have in common is one object")
  void sharing() {
    io.heddle.internal.state.Workload one = read(workload -> {});
    io.heddle.internal.state.Workload two =
        read(workload -> workload.setName("web-2").setUid("c1//Pod/shop/web-2"));
    io.heddle.internal.state.Workload external =
        read(workload -> workload.setUid("c1/networking.istio.io/WorkloadEntry/shop/web-1"));

    assertThat(two.services()).isSameAs(one.services());
    assertThat(two.locality()).isSameAs(one.locality());
    assertThat(external.services()).isSameAs(one.services());
  }

  @Test
  @DisplayName("an unknown field is ignored")
  void unknownField() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(900, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build();

    assertThat(read(workload -> workload.setUnknownFields(unknown))).isEqualTo(read(w -> {}));
  }

  @ParameterizedTest(name = "an address of {0} bytes is rejected")
  @ValueSource(ints = {0, 3, 5, 15, 17})
  void addressLength(int length) {
    assertRejected(
        workload -> workload.clearAddresses().addAddresses(ByteString.copyFrom(new byte[length])),
        "an address of " + length + " bytes (4 or 16)");
  }

  @Test
  @DisplayName("an address that is neither workload nor service is rejected")
  void nothing() {
    assertThatThrownBy(() -> reader.read(UID, ByteString.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither workload nor service");
  }

  @Test
  @DisplayName("bytes that are no message are rejected")
  void garbage() {
    ByteString cut = address(web().build()).substring(0, 40);

    assertThatThrownBy(() -> reader.read(UID, cut))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an Address");
  }

  @Test
  @DisplayName("text that is not UTF-8 is rejected, also in fields that are read once for many")
  void notUtf8() {
    byte[] body = address(web().setCanonicalName("~").build()).toByteArray();
    for (int i = 0; i < body.length; i++) {
      body[i] = body[i] == '~' ? -1 : body[i];
    }

    assertThatThrownBy(() -> reader.read(UID, ByteString.copyFrom(body)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  @DisplayName("a gateway without destination is rejected")
  void gatewayWithoutDestination() {
    assertRejected(
        workload -> workload.setWaypoint(GatewayAddress.getDefaultInstance()),
        "gateway address without destination");
  }

  @Test
  @DisplayName("the key of a service without slash is rejected")
  void serviceKey() {
    assertRejected(
        workload -> workload.putServices("web", PortList.getDefaultInstance()),
        "'web' is not namespace/hostname");
  }

  @Test
  @DisplayName("B070 values of enumerations that are not known lose no workload")
  void unknownValues() {
    io.heddle.internal.state.Workload web =
        read(
            workload ->
                workload
                    .setStatusValue(UNKNOWN)
                    .setTunnelProtocolValue(UNKNOWN)
                    .setWorkloadTypeValue(UNKNOWN)
                    .setNetworkModeValue(UNKNOWN)
                    .setApplicationTunnel(
                        ApplicationTunnel.newBuilder().setProtocolValue(UNKNOWN)));

    assertThat(web.status()).isEqualTo(HealthStatus.UNHEALTHY);
    assertThat(web.protocol()).isEqualTo(Protocol.TCP);
    assertThat(web.networkMode()).isEqualTo(io.heddle.internal.state.NetworkMode.HOST_NETWORK);
    assertThat(web.workloadType()).isEqualTo(WorkloadType.DEPLOYMENT);
    assertThat(web.applicationTunnel())
        .isEqualTo(
            new io.heddle.internal.state.ApplicationTunnel(
                io.heddle.internal.state.ApplicationTunnel.Protocol.NONE, 0));
  }

  @Test
  @DisplayName("B070 values of enumerations that are not known lose no service")
  void unknownValuesOfAService() {
    LoadBalancing.Builder balancing =
        LoadBalancing.newBuilder()
            .setModeValue(UNKNOWN)
            .setHealthPolicyValue(UNKNOWN)
            .addRoutingPreferenceValue(UNKNOWN)
            .addRoutingPreferenceValue(0)
            .addRoutingPreference(LoadBalancing.Scope.ZONE);

    var web =
        (io.heddle.internal.state.Service)
            read(service().setIpFamiliesValue(UNKNOWN).setLoadBalancing(balancing).build());

    assertThat(web.loadBalancing())
        .isEqualTo(
            new io.heddle.internal.state.LoadBalancing(
                io.heddle.internal.state.LoadBalancing.Mode.UNSPECIFIED,
                List.of(RoutingScope.ZONE),
                io.heddle.internal.state.LoadBalancing.HealthPolicy.ONLY_HEALTHY));
    assertThat(web.ipFamilies()).isEqualTo(io.heddle.internal.state.IpFamilies.AUTOMATIC);
  }

  @Test
  @DisplayName("legacy Istio mTLS is no tunnel, and its workload is kept")
  void legacyTunnel() {
    assertThat(
            read(workload -> workload.setTunnelProtocol(TunnelProtocol.LEGACY_ISTIO_MTLS))
                .protocol())
        .isEqualTo(Protocol.TCP);
  }

  @Test
  @DisplayName("a resource whose key is not its name is rejected")
  void name() {
    assertThatThrownBy(() -> reader.read("c1//Pod/shop/other", address(web().build())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its key is '" + UID + "'");
  }

  @Test
  @DisplayName("a service is read, and visibility that is not known hides nothing")
  void serviceFields() {
    Service message =
        service()
            .addAddresses(networkAddress("10.96.0.1"))
            .addAddresses(networkAddress("203.0.113.0").setLength(28))
            .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080))
            .setVisibilityValue(UNKNOWN)
            .setLoadBalancing(
                LoadBalancing.newBuilder()
                    .setMode(LoadBalancing.Mode.FAILOVER)
                    .addRoutingPreference(LoadBalancing.Scope.NETWORK)
                    .addRoutingPreference(LoadBalancing.Scope.ZONE))
            .setWaypoint(
                GatewayAddress.newBuilder()
                    .setHostname(
                        NamespacedHostname.newBuilder().setNamespace("shop").setHostname("wp.test"))
                    .setHboneMtlsPort(15008))
            .build();

    var web = (io.heddle.internal.state.Service) read(message);

    assertThat(web.vips()).hasToString("[/10.96.0.1]");
    assertThat(web.cidrVips()).hasToString("[/203.0.113.0/28]");
    assertThat(web.ports().target(80)).isEqualTo(8080);
    assertThat(web.visibility()).isEqualTo(Visibility.PUBLIC);
    assertThat(web.loadBalancing().routingPreferences())
        .containsExactly(RoutingScope.NETWORK, RoutingScope.ZONE);
    assertThat(web.waypoint()).hasToString("shop/wp.test");
  }

  @Test
  @DisplayName("a service is rejected for a bad port")
  void rejectedServices() {
    assertThatThrownBy(
            () -> read(service().addPorts(Port.newBuilder().setServicePort(70_000)).build()))
        .hasMessageContaining("service port 70000");
  }

  private MeshAddress read(Service message) {
    return reader.read(WEB, Address.newBuilder().setService(message).build().toByteString());
  }

  private io.heddle.internal.state.Workload read(Consumer<Workload.Builder> change) {
    Workload.Builder workload = web();
    change.accept(workload);
    return (io.heddle.internal.state.Workload)
        reader.read(workload.getUid(), address(workload.build()));
  }

  private void assertRejected(Consumer<Workload.Builder> change, String reason) {
    assertThatThrownBy(() -> read(change))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static ByteString address(Workload workload) {
    return Address.newBuilder().setWorkload(workload).build().toByteString();
  }

  private static Workload.Builder web() {
    return Workload.newBuilder()
        .setUid(UID)
        .setName("web-1")
        .setNamespace("shop")
        .setClusterId("c1")
        .addAddresses(bytes("10.0.0.5"))
        .setTunnelProtocol(TunnelProtocol.HBONE)
        .setNode("node-a")
        .setCanonicalName("web")
        .setWorkloadType(io.heddle.internal.proto.workload.WorkloadType.POD)
        .addAuthorizationPolicies("shop/allow-gw")
        .setLocality(Locality.newBuilder().setRegion("r1").setZone("z1"))
        .putServices(
            WEB,
            PortList.newBuilder()
                .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080))
                .build());
  }

  private static Service.Builder service() {
    return Service.newBuilder()
        .setName("web")
        .setNamespace("shop")
        .setHostname("web.shop.svc.cluster.local");
  }

  private static NetworkAddress.Builder networkAddress(String literal) {
    return NetworkAddress.newBuilder().setAddress(bytes(literal));
  }

  private static ByteString bytes(String literal) {
    return ByteString.copyFrom(
        Objects.requireNonNull(IpAddresses.parse(literal), literal).getAddress());
  }

  /** Few values of each field, so that messages share some and differ in others. */
  private static Workload random(Random random) {
    String name = List.of("web", "wéb", "").get(random.nextInt(3)) + random.nextInt(20);
    Workload.Builder workload =
        Workload.newBuilder()
            .setName(name)
            .setNamespace("ns-" + random.nextInt(2))
            .setClusterId(random.nextInt(3) == 0 ? "" : "Kubernetes")
            .setNetwork(random.nextBoolean() ? "" : "net-a")
            .setNode("node-" + random.nextInt(3))
            .setServiceAccount("sa-" + random.nextInt(2))
            .setNativeTunnel(random.nextBoolean())
            .setStatus(random.nextBoolean() ? WorkloadStatus.HEALTHY : WorkloadStatus.UNHEALTHY)
            .setNetworkMode(NetworkMode.forNumber(random.nextInt(2)));
    for (int i = random.nextInt(6); i >= 3; i--) {
      workload.addAddresses(bytes(i == 5 ? "2001:db8::1" : "10.0.0." + random.nextInt(5)));
    }
    if (random.nextInt(3) == 0) {
      workload.putServices(WEB, PortList.getDefaultInstance());
    }
    workload.setUid(
        random.nextInt(4) == 0
            ? "vm/" + name
            : "Kubernetes//Pod/" + workload.getNamespace() + "/" + name);
    return workload.build();
  }
}
