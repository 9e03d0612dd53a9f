// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.WorkloadInfo;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the settings leave open, from variables with ztunnel's names (HBONE reference 9). */
final class Environment {

  private static final String WORKLOAD = "PROXY_WORKLOAD_INFO";
  private static final String TRUST_DOMAIN = "TRUST_DOMAIN";
  private static final String KUBERNETES = "KUBERNETES_SERVICE_HOST";
  private static final String LOCALHOST_TUNNEL = "LOCALHOST_APP_TUNNEL";
  private static final String DEVELOPMENT_DIRECTORY = "heddle.development.directory";

  /** Reads one variable or property; null when it is not set. */
  @FunctionalInterface
  interface Lookup {
    @Nullable String get(String name);
  }

  private final Lookup variables;
  private final Lookup properties;

  Environment(Lookup variables, Lookup properties) {
    this.variables = variables;
    this.properties = properties;
  }

  /** Whether something besides the downward API names the workload. */
  boolean namesWorkload(@Nullable String said) {
    String text = variables.get(WORKLOAD);
    return said != null || (text != null && !text.isEmpty());
  }

  WorkloadInfo workload(@Nullable String said) {
    String text = said == null ? variables.get(WORKLOAD) : said;
    if (text == null || text.isEmpty()) {
      throw new StartRefusedException(
          "this process does not know which workload it is",
          "name it by workload(\"namespace/name/serviceAccount\") or the variable " + WORKLOAD,
          null);
    }
    String[] parts = text.split("/", -1);
    if (parts.length != 3 || parts[0].isEmpty() || parts[1].isEmpty() || parts[2].isEmpty()) {
      throw new StartRefusedException(
          "workload '" + text + "' is not of the form namespace/name/serviceAccount",
          "give all three parts",
          null);
    }
    return new WorkloadInfo(parts[1], parts[0], parts[2]);
  }

  TrustDomain trustDomain(@Nullable String said) {
    String name = said == null ? variables.get(TRUST_DOMAIN) : said;
    try {
      return TrustDomain.parse(name == null || name.isEmpty() ? "cluster.local" : name);
    } catch (InvalidSpiffeIdException e) {
      throw new StartRefusedException(
          "trust domain '" + name + "' is not one: " + e.getMessage(),
          "use lower-case letters, digits, dots, dashes and underscores",
          e);
    }
  }

  String network(@Nullable String said, String ofRecord) {
    String network = said == null ? variables.get("NETWORK") : said;
    return network == null ? ofRecord : network;
  }

  /** The domain of Kubernetes names. */
  String clusterDomain() {
    String domain = variables.get("CLUSTER_DOMAIN");
    return domain == null || domain.isEmpty() ? "cluster.local" : domain;
  }

  /** Whose service is meant by a name that several namespaces have; the spelling is Istio's. */
  @Nullable String preferredNamespace() {
    return variables.get("PREFERED_SERVICE_NAMESPACE");
  }

  /** Whether applications that want a PROXY header are reached on loopback only. */
  boolean localhostApplicationTunnel() {
    String text = variables.get(LOCALHOST_TUNNEL);
    if (text == null || text.isEmpty() || text.equals("true")) {
      return true;
    }
    if (text.equals("false")) {
      return false;
    }
    throw new StartRefusedException(
        LOCALHOST_TUNNEL + " is '" + text + "'", "write true or false", null);
  }

  /** In a pod operators know where to ask; on a laptop several processes would quarrel about it. */
  AdminChoice admin(@Nullable AdminChoice said, boolean local) {
    if (said != null) {
      return said;
    }
    return local || variables.get(KUBERNETES) == null ? AdminChoice.OFF : AdminChoice.IN_POD;
  }

  @Nullable Path developmentDirectory(@Nullable Path said) {
    if (said != null) {
      return said;
    }
    String property = properties.get(DEVELOPMENT_DIRECTORY);
    return property == null ? null : Path.of(property);
  }
}
