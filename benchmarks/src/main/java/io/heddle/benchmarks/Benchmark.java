// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.time.Duration;

/** One comparison, with contenders of its own. */
interface Benchmark {

  /** By which it is selected; its keys begin with it, unless it says otherwise. */
  String name();

  /** What it takes about on two processors, with the default effort. */
  Duration estimate();

  /** Measures, and leaves what it found in the session's results. */
  void run(Session session) throws Exception;
}
