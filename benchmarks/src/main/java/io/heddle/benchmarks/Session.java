// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.Identities;
import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.report.Results;
import io.heddle.benchmarks.report.Samples;

/**
 * What a benchmark works with. It owns the samples, which become results only when it is through: a
 * key of fewer rounds than the others would not be comparable.
 *
 * @param identities who the two ends are
 * @param tls of the plain contender, with handshake threads of its own as in the mesh
 * @param effort how much is measured
 * @param results where facts go
 * @param progress tells what happens
 * @param ratios what is judged
 * @param figures what is reported
 */
record Session(
    Identities identities,
    MutualTls tls,
    Effort effort,
    Results results,
    Progress progress,
    Samples ratios,
    Samples figures) {

  <R> Rounds<R> rounds(String name, int warmUps) {
    return new Rounds<>(name, warmUps, effort.rounds(), progress);
  }
}
