// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.GatewayAddress;
import io.heddle.internal.proto.workload.Locality;
import io.heddle.internal.proto.workload.NamespacedHostname;
import io.heddle.internal.proto.workload.NetworkAddress;
import io.heddle.internal.proto.workload.Port;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.Service;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.workload.WorkloadType;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A mesh as istiod announces one: each service has ten pods, in a fifth of the services of two
 * versions; fifty pods share a node. Every name, label and address is made of a number, so nothing
 * is held.
 */
final class SyntheticMesh {

  static final int PODS_PER_SERVICE = 10;

  private static final int PODS_PER_NODE = 50;
  private static final int NAMESPACES = 100;
  private static final int NAME_DIGITS = 10;
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final String[] APPLICATIONS = {
    "reviews",
    "ratings",
    "details",
    "productpage",
    "checkout",
    "payment-gateway",
    "cart",
    "inventory",
    "recommendation",
    "user-profile",
  };
  static final String ADDRESS_TYPE = "type.googleapis.com/istio.workload.Address";

  private final int pods;

  SyntheticMesh(int pods) {
    this.pods = pods;
  }

  int pods() {
    return pods;
  }

  int services() {
    return pods / PODS_PER_SERVICE;
  }

  /** Everything in the order of no order at all, in messages of some resources. */
  Iterator<DeltaDiscoveryResponse> responses(int resourcesEach) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < pods + services(); i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, new Random(pods));
    int each = Math.min(resourcesEach, numbers.size());
    return IntStream.range(0, (numbers.size() + each - 1) / each)
        .mapToObj(i -> numbers.subList(i * each, Math.min(numbers.size(), (i + 1) * each)))
        .map(this::response)
        .iterator();
  }

  private DeltaDiscoveryResponse response(List<Integer> numbers) {
    DeltaDiscoveryResponse.Builder response =
        DeltaDiscoveryResponse.newBuilder()
            .setTypeUrl(ADDRESS_TYPE)
            .setNonce("nonce-" + numbers.get(0));
    for (int number : numbers) {
      response.addResources(number < pods ? pod(number, 0) : service(number - pods));
    }
    return response.build();
  }

  /** A pod as it is sent the first time, or later when it has moved to another node. */
  Resource pod(int number, int revision) {
    int service = number / PODS_PER_SERVICE;
    String application = application(service);
    String namespace = namespace(service);
    boolean second = service % 5 == 0 && number % 2 == 0;
    String owner = application + (second ? "-v2" : "-v1");
    String name =
        owner + '-' + letters(service + (second ? 7 : 0), NAME_DIGITS) + '-' + letters(number, 5);
    int node = (number + revision) % Math.max(1, pods / PODS_PER_NODE);
    Workload workload =
        Workload.newBuilder()
            .setUid("Kubernetes//Pod/" + namespace + '/' + name)
            .setName(name)
            .setNamespace(namespace)
            .addAddresses(ByteString.copyFrom(podAddress(number)))
            .setTunnelProtocol(TunnelProtocol.HBONE)
            .setServiceAccount("bookinfo-" + application)
            .setNode("ip-10-" + (node >> 8) + '-' + (node & 0xff) + ".eu-west-1.compute.internal")
            .setCanonicalName(application)
            .setCanonicalRevision(second ? "v2" : "v1")
            .setWorkloadType(WorkloadType.POD)
            .setWorkloadName(owner)
            .setLocality(
                Locality.newBuilder()
                    .setRegion("eu-west-1")
                    .setZone("eu-west-1" + (char) ('a' + node % 3)))
            .putServices(
                namespace + '/' + hostname(service),
                PortList.newBuilder()
                    .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080))
                    .addPorts(Port.newBuilder().setServicePort(9090).setTargetPort(9090))
                    .build())
            .build();
    return resource(workload.getUid(), number, Address.newBuilder().setWorkload(workload).build());
  }

  private Resource service(int number) {
    String namespace = namespace(number);
    Service.Builder service =
        Service.newBuilder()
            .setName(application(number))
            .setNamespace(namespace)
            .setHostname(hostname(number))
            .addAddresses(
                NetworkAddress.newBuilder()
                    .setAddress(ByteString.copyFrom(bytes(0x0a600000 + number))))
            .addPorts(Port.newBuilder().setServicePort(80).setTargetPort(8080))
            .addPorts(Port.newBuilder().setServicePort(9090).setTargetPort(9090))
            .setCanonical(true);
    if (number % 4 == 0) {
      service.setWaypoint(
          GatewayAddress.newBuilder()
              .setHostname(
                  NamespacedHostname.newBuilder()
                      .setNamespace(namespace)
                      .setHostname("waypoint." + namespace + ".svc.cluster.local"))
              .setHboneMtlsPort(15008));
    }
    return resource(
        namespace + '/' + hostname(number),
        number,
        Address.newBuilder().setService(service).build());
  }

  byte[] podAddress(int number) {
    return bytes(0x0b000000 + number);
  }

  private static Resource resource(String name, int number, Address address) {
    return Resource.newBuilder()
        .setName(name)
        .setVersion(version(number))
        .setResource(Any.newBuilder().setTypeUrl(ADDRESS_TYPE).setValue(address.toByteString()))
        .build();
  }

  /** A hash in hexadecimal, as istiod writes it. */
  private static String version(int number) {
    return Long.toHexString((number + 1) * 0x9E3779B97F4A7C15L);
  }

  private static String application(int service) {
    return APPLICATIONS[service % APPLICATIONS.length] + '-' + service / APPLICATIONS.length;
  }

  private static String namespace(int service) {
    return "team-" + service % NAMESPACES;
  }

  private static String hostname(int service) {
    return application(service) + '.' + namespace(service) + ".svc.cluster.local";
  }

  private static byte[] bytes(int address) {
    return new byte[] {
      (byte) (address >>> 24), (byte) (address >>> 16), (byte) (address >>> 8), (byte) address,
    };
  }

  /** Letters that look random and are of different numbers different, as Kubernetes makes them. */
  private static String letters(int number, int count) {
    long state = number * 0x9E3779B97F4A7C15L + 1;
    StringBuilder text = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      text.append(LETTERS.charAt((int) ((state >>> 33) % LETTERS.length())));
    }
    return text.toString();
  }
}
