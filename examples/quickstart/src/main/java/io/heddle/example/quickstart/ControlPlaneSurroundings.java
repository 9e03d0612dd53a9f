// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import io.heddle.dev.LocalControlPlane;
import io.heddle.dev.MeshState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A control plane in the launcher's process, which the services find as pods find istiod. */
final class ControlPlaneSurroundings implements Surroundings {

  private final Path config;
  private final LocalControlPlane plane;

  ControlPlaneSurroundings(Path config) {
    this.config = config;
    this.plane =
        LocalControlPlane.builder()
            .state(MeshState.read(config))
            .certificateLifetime(Service.CERTIFICATE_LIFETIME)
            .start();
  }

  @Override
  public List<String> arguments() {
    return List.of();
  }

  @Override
  public Map<String, String> environment(String workload) {
    return plane.environment(workload);
  }

  @Override
  public void close() {
    plane.close();
  }

  @Override
  public String toString() {
    return "control plane " + plane.address() + ", which announces " + config;
  }
}
