// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

/**
 * What one bulk transfer took.
 *
 * @param bytes how many arrived
 * @param nanos from the first write to the last arrival
 * @param cpuNanos processor time of the whole process meanwhile
 */
public record Transfer(long bytes, long nanos, long cpuNanos) {

  public double megabytesPerSecond() {
    return bytes * 1e3 / nanos;
  }

  public double cpuNanosPerByte() {
    return (double) cpuNanos / bytes;
  }
}
