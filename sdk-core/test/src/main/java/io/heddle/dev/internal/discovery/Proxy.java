// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.grpc.Status;
import io.grpc.StatusException;
import io.heddle.dev.internal.token.Caller;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.proto.xds.Node;
import java.util.Set;

/**
 * Who has opened a stream, as it says itself, and as far as istiod checks it (control-plane
 * reference 1.4 and 1.6).
 *
 * @param id the node id
 * @param node the Kubernetes node that it runs on, or empty
 */
record Proxy(String id, String node) {

  private static final Set<String> TYPES =
      Set.of("sidecar", "router", "waypoint", "ztunnel", "agentgateway");

  /**
   * Reads the node of a first request.
   *
   * @throws StatusException with the code with which istiod ends the stream
   */
  static Proxy admit(Node node, Caller caller) throws StatusException {
    if (node.getId().isEmpty()) {
      throw invalid("missing node information");
    }
    String[] parts = node.getId().split("~", -1);
    if (parts.length != 4) {
      throw invalid("node id '" + node.getId() + "' does not have 4 parts");
    }
    if (!TYPES.contains(parts[0])) {
      throw invalid("node type '" + parts[0] + "' is not one of " + TYPES);
    }
    if (!areAddresses(metadata(node, "INSTANCE_IPS")) && !areAddresses(parts[1])) {
      throw invalid("node id '" + node.getId() + "' has no valid IP address");
    }
    checkIdentity(node, parts[3], caller);
    return new Proxy(node.getId(), metadata(node, "NODE_NAME"));
  }

  private static void checkIdentity(Node node, String domain, Caller caller)
      throws StatusException {
    String namespace = metadata(node, "NAMESPACE");
    int dot = domain.indexOf('.');
    if (namespace.isEmpty() && dot > 0) {
      namespace = domain.substring(0, dot);
    }
    if (!namespace.equals(caller.namespace())) {
      throw denied("namespace '" + namespace + "'", caller);
    }
    String account = metadata(node, "SERVICE_ACCOUNT");
    if (!account.isEmpty() && !account.equals(caller.serviceAccount())) {
      throw denied("service account '" + account + "'", caller);
    }
  }

  private static boolean areAddresses(String list) {
    for (String address : list.split(",", -1)) {
      if (IpAddresses.parse(address) == null) {
        return false;
      }
    }
    return true;
  }

  private static String metadata(Node node, String name) {
    Struct metadata = node.getMetadata();
    return metadata.getFieldsOrDefault(name, Value.getDefaultInstance()).getStringValue();
  }

  private static StatusException invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text).asException();
  }

  private static StatusException denied(String claim, Caller caller) {
    return Status.PERMISSION_DENIED
        .withDescription("authorization failed: no identities (" + caller + ") match " + claim)
        .asException();
  }
}
