// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.NetworkAddress;
import io.heddle.internal.proto.workload.Port;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.Service;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** What a control plane sends, in short. */
final class Responses {

  static final String WEB = "shop/web.shop.svc.cluster.local";

  private static final AtomicInteger NONCES = new AtomicInteger();

  private Responses() {}

  static DeltaDiscoveryResponse.Builder response(ResourceType type, Resource... resources) {
    return DeltaDiscoveryResponse.newBuilder()
        .setTypeUrl(type.url())
        .setNonce("nonce-" + NONCES.incrementAndGet())
        .addAllResources(List.of(resources));
  }

  static DeltaDiscoveryResponse addresses(Resource... resources) {
    return response(ResourceType.ADDRESS, resources).build();
  }

  static DeltaDiscoveryResponse policies(Resource... resources) {
    return response(ResourceType.AUTHORIZATION, resources).build();
  }

  static DeltaDiscoveryResponse removal(ResourceType type, String... names) {
    return response(type).addAllRemovedResources(List.of(names)).build();
  }

  static String uid(String name) {
    return "Kubernetes//Pod/shop/" + name;
  }

  /** A pod of the namespace shop. */
  static Workload.Builder pod(String name, String address) {
    return Workload.newBuilder()
        .setUid(uid(name))
        .setName(name)
        .setNamespace("shop")
        .addAddresses(bytes(address));
  }

  /** A pod behind the service web. */
  static Workload.Builder webPod(String name, String address) {
    return pod(name, address)
        .putServices(
            WEB,
            PortList.newBuilder()
                .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080))
                .build());
  }

  static Service.Builder web() {
    return Service.newBuilder()
        .setName("web")
        .setNamespace("shop")
        .setHostname("web.shop.svc.cluster.local")
        .addAddresses(NetworkAddress.newBuilder().setAddress(bytes("10.96.0.1")))
        .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080));
  }

  static Resource resource(Workload.Builder workload, String version) {
    Address address = Address.newBuilder().setWorkload(workload).build();
    return resource(workload.getUid(), version, ResourceType.ADDRESS, address).build();
  }

  static Resource resource(Service.Builder service, String version) {
    Address address = Address.newBuilder().setService(service).build();
    return resource(
            service.getNamespace() + "/" + service.getHostname(),
            version,
            ResourceType.ADDRESS,
            address)
        .build();
  }

  /** istiod gives policies no version. */
  static Resource resource(Authorization.Builder policy) {
    return resource(
            policy.getNamespace() + "/" + policy.getName(),
            "",
            ResourceType.AUTHORIZATION,
            policy.build())
        .build();
  }

  static Resource.Builder resource(
      String name, String version, ResourceType type, Message message) {
    return raw(name, version, type, message.toByteString());
  }

  /** A resource whose content is none. */
  static Resource garbage(String name, ResourceType type) {
    return raw(name, "1", type, ByteString.copyFrom(new byte[] {10, 127, 1, 2, 3})).build();
  }

  private static Resource.Builder raw(
      String name, String version, ResourceType type, ByteString content) {
    return Resource.newBuilder()
        .setName(name)
        .setVersion(version)
        .setResource(Any.newBuilder().setTypeUrl(type.url()).setValue(content));
  }

  static Authorization.Builder policy(String name) {
    return Authorization.newBuilder()
        .setNamespace("shop")
        .setName(name)
        .setScope(io.heddle.internal.proto.security.Scope.NAMESPACE)
        .setAction(io.heddle.internal.proto.security.Action.DENY);
  }

  static ByteString bytes(String address) {
    return ByteString.copyFrom(Objects.requireNonNull(IpAddresses.parse(address)).getAddress());
  }
}
