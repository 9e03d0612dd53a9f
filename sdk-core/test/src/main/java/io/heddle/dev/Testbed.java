// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.Mesh;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** The mesh of one test: its control plane, and the workloads that run. */
final class Testbed {

  /** Tests leave connections open, and have no time to wait for them. */
  private static final Duration DRAIN = Duration.ofMillis(100);

  private static final String VIPS = "240.240.0.";

  private final LocalControlPlane plane;
  private final Decisions decisions = new Decisions();
  private final Map<String, Mesh> running = new LinkedHashMap<>();

  private Testbed(LocalControlPlane plane) {
    this.plane = plane;
  }

  static Testbed start(MeshTest description) {
    return new Testbed(LocalControlPlane.builder().state(state(description)).start());
  }

  private static MeshState state(MeshTest description) {
    LoopbackAddresses addresses =
        LoopbackAddresses.find(
            description.workloads().length + description.services().length, new SplittableRandom());
    MeshStateBuilder state = MeshState.builder();
    for (String workload : description.workloads()) {
      state.workload(workload, addresses.next());
    }
    int vips = 0;
    for (Serves service : description.services()) {
      state.workload(service.value(), addresses.next());
      state.service(
          service.value(), VIPS + ++vips, service.port(), service.targetPort(), service.value());
    }
    int policies = 0;
    for (Allow policy : description.policies()) {
      String namespace = NamespacedName.parse(policy.to()).namespace();
      state.allow(namespace + "/allow-" + ++policies, policy.to(), policy.from());
    }
    for (String namespace : description.strict()) {
      state.strict(namespace);
    }
    return state.build();
  }

  LocalControlPlane plane() {
    return plane;
  }

  /** The running workload; it is started when it is first asked for. */
  Mesh mesh(String workload) {
    Mesh known = running.get(workload);
    if (known != null) {
      return known;
    }
    if (!workloads().contains(workload)) {
      throw new ParameterResolutionException(
          "@MeshTest has no workload " + workload + "; it has " + workloads());
    }
    Mesh started =
        Mesh.builder()
            .fromEnvironment(plane.environment(workload))
            .telemetry(decisions)
            .drainPeriod(DRAIN)
            .eventLoops(1)
            .start();
    running.put(workload, started);
    return started;
  }

  /** The running workload of that name, whatever its namespace. */
  Mesh meshNamed(String name) {
    List<String> found =
        workloads().stream()
            .filter(workload -> NamespacedName.parse(workload).name().equals(name))
            .toList();
    if (found.size() != 1) {
      throw new ParameterResolutionException(
          "the parameter "
              + name
              + " stands for "
              + (found.isEmpty() ? "none of the workloads " + workloads() : "each of " + found)
              + "; say which it is by @Member(\"namespace/name\")");
    }
    return mesh(found.get(0));
  }

  private List<String> workloads() {
    return plane.state().config().workloads().stream()
        .map(workload -> workload.namespace() + "/" + workload.name())
        .toList();
  }

  /** What the meshes decided, in lines. */
  String decisions() {
    List<String> lines = decisions.lines();
    return lines.isEmpty()
        ? "the mesh decided about no connection"
        : "what the mesh decided:\n  " + String.join("\n  ", lines);
  }

  void close() {
    running.values().forEach(Mesh::close);
    plane.close();
  }
}
