// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.NetworkCidr;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.SharedParts;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes workloads and services of the control plane's messages, out of parts that they share. What
 * is no valid resource is rejected with the reason (control-plane reference 3.4). Used by one
 * thread.
 */
public final class AddressReader {

  private final SharedParts parts = new SharedParts();
  private final WorkloadReader workloads;
  private final ServiceReader services = new ServiceReader(parts);

  /**
   * Makes a reader.
   *
   * @param random keys the hashes of what was read before
   */
  public AddressReader(RandomGenerator random) {
    workloads = new WorkloadReader(parts, random);
  }

  /**
   * Reads one resource.
   *
   * @param name under which it is sent
   * @param body the bytes of an {@code Address}
   * @throws IllegalArgumentException with the reason, when it must be rejected
   */
  public MeshAddress read(String name, ByteString body) {
    MeshAddress address = workloads.readDivided(body.toByteArray());
    if (address == null) {
      address = read(parse(body));
    }
    // Removals come by the name of the resource, and the index finds by its own key.
    boolean named =
        address instanceof Workload workload
            ? workload.hasUid(name)
            : address.resourceName().equals(name);
    if (!named) {
      throw new IllegalArgumentException(
          "its key is '" + address.resourceName() + "', so it could not be removed by its name");
    }
    return address;
  }

  private MeshAddress read(Address message) {
    return switch (message.getTypeCase()) {
      case WORKLOAD -> workloads.read(message.getWorkload());
      case SERVICE -> services.read(message.getService());
      case TYPE_NOT_SET ->
          throw new IllegalArgumentException("an address that is neither workload nor service");
    };
  }

  private static Address parse(ByteString body) {
    try {
      return Address.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not an Address: " + e.getMessage(), e);
    }
  }

  /** To be called after each batch: what is remembered stays in proportion to the state. */
  public void applied(MeshSnapshot state) {
    if (parts.forgetStale(state)) {
      workloads.forget();
    }
  }

  static InetAddress address(ByteString bytes) {
    InetAddress address = IpAddresses.ofBytes(bytes.toByteArray());
    if (address == null) {
      throw new IllegalArgumentException("an address of " + bytes.size() + " bytes (4 or 16)");
    }
    return address;
  }

  static NetworkCidr range(
      io.heddle.internal.proto.workload.NetworkAddress message, SharedParts parts) {
    return new NetworkCidr(
        parts.text(message.getNetwork()),
        Cidr.of(message.getAddress().toByteArray(), message.getLength()));
  }

  static NetworkAddress networkAddress(
      io.heddle.internal.proto.workload.NetworkAddress message, SharedParts parts) {
    return new NetworkAddress(parts.text(message.getNetwork()), address(message.getAddress()));
  }

  static GatewayAddress gateway(
      io.heddle.internal.proto.workload.GatewayAddress message, SharedParts parts) {
    return switch (message.getDestinationCase()) {
      case HOSTNAME ->
          new GatewayAddress.ByHostname(
              name(
                  message.getHostname().getNamespace(), message.getHostname().getHostname(), parts),
              message.getHboneMtlsPort());
      case ADDRESS ->
          new GatewayAddress.ByAddress(
              networkAddress(message.getAddress(), parts), message.getHboneMtlsPort());
      case DESTINATION_NOT_SET ->
          throw new IllegalArgumentException("a gateway address without destination");
    };
  }

  static NamespacedHostname name(String namespace, String hostname, SharedParts parts) {
    return parts.name(namespace + "/" + hostname);
  }

  /** Of a service port that is listed twice the last target counts. */
  static PortMap ports(List<io.heddle.internal.proto.workload.Port> messages, SharedParts parts) {
    int[] servicePorts = new int[messages.size()];
    int[] targetPorts = new int[messages.size()];
    for (int i = 0; i < servicePorts.length; i++) {
      servicePorts[i] = messages.get(i).getServicePort();
      targetPorts[i] = messages.get(i).getTargetPort();
    }
    return parts.ports(PortMap.of(servicePorts, targetPorts));
  }
}
