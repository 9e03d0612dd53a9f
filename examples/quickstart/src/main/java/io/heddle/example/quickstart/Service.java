// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import io.heddle.Mesh;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** What the three services have in common: a mesh, events on standard output, commands. */
final class Service {

  /** Short enough that every certificate rotates several times during the run. */
  static final Duration CERTIFICATE_LIFETIME = Duration.ofSeconds(8);

  private Service() {}

  static Mesh startMesh(String[] args, String workload) {
    Mesh mesh = args.length == 0 ? fromControlPlane() : fromFile(args, workload);
    event("identity", mesh.identity().current().svid().id());
    mesh.identity()
        .onUpdate(
            snapshot ->
                event(
                    "rotated", "serial " + snapshot.svid().leaf().getSerialNumber().toString(16)));
    return mesh;
  }

  private static Mesh fromFile(String[] args, String workload) {
    return Mesh.builder()
        .localFile(Path.of(args[0]))
        .developmentDirectory(Path.of(args[1]))
        .certificateLifetime(CERTIFICATE_LIFETIME)
        .workload(workload)
        .start();
  }

  /** As in a pod: the environment says who this is and where the control plane is. */
  private static Mesh fromControlPlane() {
    return Mesh.builder().fromEnvironment().start();
  }

  static void event(String name, Object text) {
    System.out.println("event " + name + " " + text);
  }

  /** Runs commands until {@code stop} or the end of the input. */
  static void serve(Commands commands) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      event("ready", "");
      String line = lines.readLine();
      while (line != null && !line.equals("stop")) {
        commands.run(line);
        line = lines.readLine();
      }
    } catch (IOException e) {
      throw new IllegalStateException("commands ended unexpectedly", e);
    }
  }

  /** Carries out one command. */
  @FunctionalInterface
  interface Commands {
    void run(String command) throws Exception;
  }
}
