// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link MeshTest} in ztunnel's local format. */
final class LocalYaml {

  /** Never dialled: the mesh turns it into an endpoint. */
  private static final String VIPS = "/240.240.0.";

  private static final String STRICT =
      """
      - name: istio_converted_static_strict
        namespace: istio-system
        scope: WorkloadSelector
        action: Deny
        rules:
        - - - notPrincipals: [!Presence []]
      """;

  private final MeshTest test;

  LocalYaml(MeshTest test) {
    this.test = test;
  }

  /** All workloads, as {@code namespace/name}. */
  List<String> workloads() {
    return Stream.concat(
            Arrays.stream(test.workloads()), Arrays.stream(test.services()).map(Serves::value))
        .toList();
  }

  /** The text, with an address for each workload. */
  String text(LoopbackAddresses addresses) {
    StringBuilder text = new StringBuilder("workloads:\n");
    workloads().forEach(workload -> text.append(workload(workload, addresses.next())));
    text.append(test.services().length == 0 ? "services: []\n" : "services:\n");
    for (int i = 0; i < test.services().length; i++) {
      text.append(service(test.services()[i], i + 1));
    }
    List<String> policies = policies();
    text.append(policies.isEmpty() ? "policies: []\n" : "policies:\n");
    policies.forEach(text::append);
    return text.toString();
  }

  private String workload(String workload, String address) {
    NamespacedName name = NamespacedName.parse(workload);
    String services =
        Arrays.stream(test.services())
            .filter(service -> service.value().equals(workload))
            .map(
                service ->
                    "%s/%s: {%d: %d}"
                        .formatted(
                            name.namespace(), hostname(name), service.port(), service.targetPort()))
            .collect(Collectors.joining(", "));
    return """
        - uid: Kubernetes//Pod/%1$s/%2$s
          name: %2$s
          namespace: %1$s
          serviceAccount: %2$s
          workloadName: %2$s
          canonicalName: %2$s
          workloadIps: ["%3$s"]
          protocol: HBONE
          authorizationPolicies: [%4$s]
          services: {%5$s}
        """
        .formatted(
            name.namespace(),
            name.name(),
            address,
            String.join(", ", policiesOf(workload)),
            services);
  }

  private static String service(Serves service, int number) {
    NamespacedName name = NamespacedName.parse(service.value());
    return """
        - name: %2$s
          namespace: %1$s
          hostname: %3$s
          vips: ["%4$s"]
          ports: {%5$d: %6$d}
        """
        .formatted(
            name.namespace(),
            name.name(),
            hostname(name),
            VIPS + number,
            service.port(),
            service.targetPort());
  }

  private List<String> policiesOf(String workload) {
    List<String> policies = new ArrayList<>();
    for (int i = 0; i < test.policies().length; i++) {
      if (test.policies()[i].to().equals(workload)) {
        policies.add(NamespacedName.parse(workload).namespace() + "/allow-" + (i + 1));
      }
    }
    if (isStrict(NamespacedName.parse(workload).namespace())) {
      policies.add("istio-system/istio_converted_static_strict");
    }
    return policies;
  }

  private List<String> policies() {
    List<String> policies = new ArrayList<>();
    for (int i = 0; i < test.policies().length; i++) {
      policies.add(policy(test.policies()[i], i + 1));
    }
    if (test.strict().length > 0) {
      policies.add(STRICT);
    }
    return policies;
  }

  private static String policy(Allow policy, int number) {
    String callers =
        Arrays.stream(policy.from())
            .map(NamespacedName::parse)
            .map(
                caller ->
                    "{namespace: %s, serviceAccount: %s}"
                        .formatted(caller.namespace(), caller.name()))
            .collect(Collectors.joining(", "));
    String rules =
        callers.isEmpty() ? "  rules: []\n" : "  rules:\n  - - - serviceAccounts: [%s]\n";
    return """
        - name: allow-%1$d
          namespace: %2$s
          scope: WorkloadSelector
          action: Allow
        """
            .formatted(number, NamespacedName.parse(policy.to()).namespace())
        + rules.formatted(callers);
  }

  private boolean isStrict(String namespace) {
    return Arrays.asList(test.strict()).contains(namespace);
  }

  private static String hostname(NamespacedName name) {
    return name.name() + "." + name.namespace() + ".svc.cluster.local";
  }
}
