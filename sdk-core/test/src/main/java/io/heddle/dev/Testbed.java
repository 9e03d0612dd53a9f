// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.Mesh;
import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** The mesh of one test: its certificate authority, and the workloads that run. */
final class Testbed {

  /** Tests leave connections open, and have no time to wait for them. */
  private static final Duration DRAIN = Duration.ofMillis(100);

  private static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");

  private final List<String> workloads;
  private final String configuration;
  private final DevelopmentCa authority = DevelopmentCa.builder(TRUST_DOMAIN).force().build();
  private final Decisions decisions = new Decisions();
  private final Map<String, Mesh> running = new LinkedHashMap<>();
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  private Testbed(List<String> workloads, String configuration) {
    this.workloads = workloads;
    this.configuration = configuration;
  }

  static Testbed of(MeshTest test) {
    LocalYaml yaml = new LocalYaml(test);
    LoopbackAddresses addresses =
        LoopbackAddresses.find(yaml.workloads().size(), new SplittableRandom());
    return new Testbed(yaml.workloads(), yaml.text(addresses));
  }

  /** The running workload; it is started when it is first asked for. */
  Mesh mesh(String workload) {
    Mesh known = running.get(workload);
    if (known != null) {
      return known;
    }
    if (!workloads.contains(workload)) {
      throw new ParameterResolutionException(
          "@MeshTest has no workload " + workload + "; it has " + workloads);
    }
    NamespacedName name = NamespacedName.parse(workload);
    DevelopmentSource identity =
        DevelopmentSource.builder(
                authority, SpiffeId.workload(TRUST_DOMAIN, name.namespace(), name.name()))
            .build();
    closers.push(identity);
    Mesh started =
        Mesh.builder()
            .localConfiguration(configuration)
            .workload(workload + "/" + name.name())
            .identity(identity)
            .telemetry(decisions)
            .drainPeriod(DRAIN)
            .eventLoops(1)
            .start();
    closers.push(started);
    running.put(workload, started);
    return started;
  }

  /** The running workload of that name, whatever its namespace. */
  Mesh meshNamed(String name) {
    List<String> found =
        workloads.stream()
            .filter(workload -> NamespacedName.parse(workload).name().equals(name))
            .toList();
    if (found.size() != 1) {
      throw new ParameterResolutionException(
          "the parameter "
              + name
              + " stands for "
              + (found.isEmpty() ? "none of the workloads " + workloads : "each of " + found)
              + "; say which it is by @Member(\"namespace/name\")");
    }
    return mesh(found.get(0));
  }

  /** What the meshes decided, in lines. */
  String decisions() {
    List<String> lines = decisions.lines();
    return lines.isEmpty()
        ? "the mesh decided about no connection"
        : "what the mesh decided:\n  " + String.join("\n  ", lines);
  }

  void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
  }
}
