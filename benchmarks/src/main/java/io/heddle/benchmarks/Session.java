// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.Identities;
import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.report.Measurement;
import io.heddle.benchmarks.report.Samples;

/**
 * What a benchmark works with. What it found becomes results only when it is through: a key of
 * fewer rounds than the others would not be comparable.
 *
 * @param identities who the two ends are
 * @param tls of the plain contender, with handshake threads of its own as in the mesh
 * @param effort how much is measured
 * @param found what it leaves
 * @param progress tells what happens
 */
record Session(
    Identities identities, MutualTls tls, Effort effort, Measurement found, Progress progress) {

  Samples ratios() {
    return found.ratios();
  }

  Samples figures() {
    return found.figures();
  }

  <R> Rounds<R> rounds(String name, int warmUps) {
    return new Rounds<>(name, warmUps, effort.rounds(), progress);
  }
}
