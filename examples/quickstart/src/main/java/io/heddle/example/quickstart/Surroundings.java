// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.util.List;
import java.util.Map;

/** How the services learn of the mesh. */
interface Surroundings extends AutoCloseable {

  /** What every service is started with on its command line. */
  List<String> arguments();

  /** What a service, as {@code namespace/name}, finds in its environment. */
  Map<String, String> environment(String workload);

  @Override
  void close();
}
