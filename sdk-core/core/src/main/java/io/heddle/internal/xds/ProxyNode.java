// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.heddle.internal.proto.xds.Node;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who asks the control plane (control-plane reference 1.6, 1.7).
 *
 * @param type what istiod takes the client for; {@code ztunnel} is given workloads and policies and
 *     costs it least
 * @param ip an address of the pod
 * @param podName the pod
 * @param namespace its namespace; istiod wants it to be the token's
 * @param clusterDomain the DNS domain of the cluster
 * @param metadata more about the node; what the other components say is added
 */
public record ProxyNode(
    String type,
    String ip,
    String podName,
    String namespace,
    String clusterDomain,
    Map<String, Value> metadata) {

  /** The type of a client that is given workloads and policies and nothing else. */
  public static final String ZTUNNEL = "ztunnel";

  /** Copies the metadata and checks that the parts make an id. */
  public ProxyNode {
    requirePart("type", type);
    requirePart("ip", ip);
    requirePart("podName", podName);
    requirePart("namespace", namespace);
    requirePart("clusterDomain", clusterDomain);
    metadata = Map.copyOf(metadata);
  }

  private static void requirePart(String name, String value) {
    if (value.isEmpty() || value.indexOf('~') >= 0) {
      throw new IllegalArgumentException(
          name + ": '" + value + "' (expected: not empty and without '~')");
    }
  }

  /** The four parts by which istiod knows the client. */
  public String id() {
    return String.join(
        "~", type, ip, podName + "." + namespace, namespace + ".svc." + clusterDomain);
  }

  /** As the first request of a stream carries it. */
  Node message() {
    Map<String, Value> all = new LinkedHashMap<>();
    all.put("NAME", text(podName));
    all.put("NAMESPACE", text(namespace));
    all.put("INSTANCE_IPS", text(ip));
    all.putAll(metadata);
    return Node.newBuilder().setId(id()).setMetadata(Struct.newBuilder().putAllFields(all)).build();
  }

  static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
