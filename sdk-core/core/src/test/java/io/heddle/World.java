// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/** The mesh as one of its members sees it, written down in the local format. */
final class World {

  private final StringBuilder workloads = new StringBuilder();
  private final StringBuilder services = new StringBuilder();
  private final StringBuilder policies = new StringBuilder();

  /**
   * A workload that takes tunnels.
   *
   * @param who namespace/name/serviceAccount
   * @param addresses as a list of YAML, without brackets
   * @param fields more lines of YAML; they go before the defaults
   */
  World workload(String who, String addresses, String... fields) {
    String[] parts = who.split("/", -1);
    item(
        workloads,
        fields,
        "uid: c1//v1/Pod/" + parts[0] + "/" + parts[1],
        "name: " + parts[1],
        "namespace: " + parts[0],
        "serviceAccount: " + parts[2],
        "workloadName: " + parts[1],
        "canonicalName: " + parts[1],
        "clusterId: c1",
        "workloadIps: [" + addresses + "]",
        "protocol: HBONE",
        "services: {}");
    return this;
  }

  /**
   * A service with port 80 to 8080 and the host name of a Kubernetes service.
   *
   * @param key namespace/name
   * @param vips as a list of YAML, without brackets
   * @param fields more lines of YAML; they go before the defaults
   */
  World service(String key, String vips, String... fields) {
    String[] parts = key.split("/", -1);
    item(
        services,
        fields,
        "name: " + parts[1],
        "namespace: " + parts[0],
        "hostname: " + hostname(key),
        "vips: [" + vips + "]",
        "ports: {80: 8080}");
    return this;
  }

  /** Policies, as items of a YAML list. */
  World policies(String yaml) {
    policies.append(yaml);
    return this;
  }

  static String hostname(String key) {
    String[] parts = key.split("/", -1);
    return parts[1] + "." + parts[0] + ".svc.cluster.local";
  }

  /** The field of a workload by which it serves port 80 of a service by its port 8080. */
  static String serves(String... keys) {
    return Arrays.stream(keys)
        .map(key -> "\"" + key.split("/", -1)[0] + "/" + hostname(key) + "\": {80: 8080}")
        .collect(java.util.stream.Collectors.joining(", ", "services: {", "}"));
  }

  private static void item(StringBuilder to, String[] fields, String... defaults) {
    String lead = "- ";
    for (String field : fields) {
      to.append(lead).append(field).append('\n');
      lead = "  ";
    }
    for (String field : defaults) {
      String name = field.substring(0, field.indexOf(':') + 1);
      if (Arrays.stream(fields).noneMatch(given -> given.startsWith(name))) {
        to.append(lead).append(field).append('\n');
        lead = "  ";
      }
    }
  }

  /** Writes the file at once, so that whoever follows it reads the old or the new one. */
  void write(Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(
        next,
        list("workloads", workloads) + list("services", services) + list("policies", policies));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String list(String name, StringBuilder items) {
    return items.isEmpty() ? name + ": []\n" : name + ":\n" + items;
  }
}
