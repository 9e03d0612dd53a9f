// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.grpc.ControlPlane;
import io.heddle.identity.grpc.ServerRoots;
import io.heddle.identity.grpc.ServiceAccountToken;
import io.heddle.internal.state.WorkloadInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a pod's environment says about the control plane, under the ambient node proxy's own names
 * and with its defaults (HBONE reference 9). An empty variable counts as one that is not set,
 * except where empty means "none".
 */
final class IstioVariables {

  private static final String IN_CLUSTER = "https://istiod.istio-system.svc:15012";
  private static final String ON_HOST = "https://localhost:15012";

  /** The chart's mounts; the node proxy's relative paths start at the root directory too. */
  private static final String DEFAULT_ROOTS = "/var/run/secrets/istio/root-cert.pem";

  private static final String DEFAULT_TOKEN = "/var/run/secrets/tokens/istio-token";
  private static final String DEFAULT_CLUSTER = "Kubernetes";
  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(24);

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private final Map<String, String> variables;

  IstioVariables(Map<String, String> variables) {
    this.variables = variables;
  }

  /** Where workloads, services and policies come from. */
  ControlPlane discovery() {
    return controlPlane("XDS_ADDRESS", "XDS_ROOT_CA", "ALT_XDS_HOSTNAME", "XDS_HEADER_");
  }

  /** Where the certificate comes from. */
  ControlPlane authority() {
    return controlPlane("CA_ADDRESS", "CA_ROOT_CA", "ALT_CA_HOSTNAME", "CA_HEADER_");
  }

  private ControlPlane controlPlane(
      String addressName, String rootsName, String otherHost, String headerPrefix) {
    String address = variables.get(addressName);
    if (address != null && address.isBlank()) {
      throw refused(
          addressName + " is empty, which means that there is no such service",
          "unset it, or give the mesh's state by localFile(...) and its certificate by"
              + " identity(...)");
    }
    try {
      ControlPlane.Builder builder =
          ControlPlane.builder(address == null ? defaultAddress() : address.strip())
              .roots(ServerRoots.of(or(rootsName, DEFAULT_ROOTS)))
              .token(ServiceAccountToken.of(or("AUTH_TOKEN", DEFAULT_TOKEN)))
              .clusterId(clusterId());
      String other = or(otherHost, "");
      if (!other.isEmpty()) {
        builder.alternativeHost(other);
      }
      variables.forEach(
          (name, value) -> {
            if (name.startsWith(headerPrefix)) {
              builder.header(name.substring(headerPrefix.length()), value);
            }
          });
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(
          addressName + " and what belongs to it: " + e.getMessage(),
          "mend the variable; in a cluster none is needed",
          e);
    }
  }

  private String defaultAddress() {
    return or("KUBERNETES_SERVICE_HOST", "").isEmpty() ? ON_HOST : IN_CLUSTER;
  }

  /** Which cluster this is, as the control plane knows it. */
  String clusterId() {
    return or("ISTIO_META_CLUSTER_ID", or("CLUSTER_ID", DEFAULT_CLUSTER));
  }

  /** How long certificates shall live. */
  Duration lifetime() {
    String text = or("SECRET_TTL", "");
    if (text.isEmpty()) {
      return DEFAULT_LIFETIME;
    }
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw refused("SECRET_TTL is '" + text + "'", "write a number and a unit, such as 24h");
    }
    long count = Long.parseLong(parts.group(1));
    Duration lifetime =
        switch (parts.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          case "h" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        };
    if (lifetime.toSeconds() < 1) {
      throw refused("SECRET_TTL is '" + text + "'", "ask for a second at least");
    }
    return lifetime;
  }

  /** Who the pod is, by the downward API. */
  WorkloadInfo workload() {
    return new WorkloadInfo(
        required("POD_NAME", "fieldRef metadata.name"),
        required("POD_NAMESPACE", "fieldRef metadata.namespace"),
        required("SERVICE_ACCOUNT", "fieldRef spec.serviceAccountName"));
  }

  /** The uid that the control plane gives to a pod (control-plane reference 2.3). */
  String uid(WorkloadInfo info) {
    return clusterId() + "//Pod/" + info.namespace() + "/" + info.name();
  }

  /** Refuses what would need a part of the mesh that is not there. */
  void requireWholeMesh() {
    String text = or("XDS_ON_DEMAND", "false");
    if (!text.equals("false")) {
      throw refused(
          "XDS_ON_DEMAND is '" + text + "', and connections do not wait for single workloads",
          "unset it: every workload and service is subscribed to");
    }
  }

  /** The variables with those that say who the pod is filled in. */
  Map<String, String> describing(WorkloadInfo info) {
    Map<String, String> all = new LinkedHashMap<>(variables);
    all.put("POD_NAME", info.name());
    all.put("POD_NAMESPACE", info.namespace());
    all.put("ISTIO_META_CLUSTER_ID", clusterId());
    String network = variables.get("NETWORK");
    if (network != null && !network.isEmpty()) {
      all.putIfAbsent("ISTIO_META_NETWORK", network);
    }
    return all;
  }

  private String required(String name, String source) {
    String value = or(name, "");
    if (value.isEmpty()) {
      throw refused(
          name + " is not set, so this process does not know which workload it is",
          "give it to the container by the downward API ("
              + source
              + "), or name the workload by"
              + " workload(\"namespace/name/serviceAccount\") or PROXY_WORKLOAD_INFO");
    }
    return value;
  }

  private String or(String name, String otherwise) {
    @Nullable String value = variables.get(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  private static StartRefusedException refused(String decided, String advice) {
    return new StartRefusedException(decided, advice, null);
  }
}
