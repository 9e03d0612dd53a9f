// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.InvalidLocalConfigException;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.local.LocalFile;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The state of the mesh from a local file or text, in place of a control plane. */
final class LocalState {

  private LocalState() {}

  /** Loads the state, and follows the file if it is one. */
  static void load(
      MeshSettings settings, TrustDomain trustDomain, WorkloadIndex index, Teardown teardown) {
    Path file = settings.localFile();
    String text = settings.localConfiguration();
    if ((file == null) == (text == null)) {
      throw new StartRefusedException(
          file == null
              ? "nothing says what the mesh consists of"
              : "a local file and a local configuration are both given",
          "give one of localFile(...) and localConfiguration(...)",
          null);
    }
    try {
      if (text != null) {
        index.apply(LocalConfig.parse(text, "localConfiguration", trustDomain).replacement());
      } else if (file != null) {
        follow(LocalFile.load(file, trustDomain, index), teardown);
      }
    } catch (InvalidLocalConfigException e) {
      throw new StartRefusedException(
          String.valueOf(e.getMessage()), "mend the configuration; nothing of it was applied", e);
    }
  }

  /** The own record. A local configuration is complete once it is loaded: nothing to wait for. */
  static Workload ownRecord(WorkloadIndex index, WorkloadInfo info) {
    Workload record = index.current().workload(info);
    if (record == null) {
      throw new StartRefusedException(
          "the mesh has no workload " + info + " (namespace/name/serviceAccount)",
          "add it to the configuration, or name one that is in it",
          null);
    }
    return record;
  }

  private static void follow(LocalFile file, Teardown teardown) {
    ScheduledExecutorService watching =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "heddle-local-file");
              thread.setDaemon(true);
              return thread;
            });
    teardown.add("watch of the local file", watching::shutdownNow);
    teardown.add("local file", file);
    file.follow(watching);
  }
}
