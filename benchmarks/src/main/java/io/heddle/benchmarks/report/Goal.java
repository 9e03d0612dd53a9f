// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * What a key should reach.
 *
 * @param key the key of the ratio
 * @param sense whether more is better or less is
 * @param bound what still counts as reached
 */
public record Goal(String key, Sense sense, double bound) {

  /** Which values are better. */
  public enum Sense {
    AT_LEAST,
    AT_MOST
  }

  /** Every key that is judged, in the order of reports. */
  public static final List<Goal> ALL =
      List.of(
          new Goal("bulk.hbone_vs_mtls", Sense.AT_LEAST, 0.98),
          new Goal("bulk8.hbone_vs_mtls", Sense.AT_LEAST, 0.95),
          new Goal("rr.rate_vs_mtls", Sense.AT_LEAST, 2.5),
          new Goal("rr.p50_vs_mtls", Sense.AT_MOST, 0.45),
          new Goal("rr.p99_vs_mtls", Sense.AT_MOST, 0.50),
          new Goal("rr1.p50_vs_mtls", Sense.AT_MOST, 1.15),
          new Goal("rr1.p99_vs_mtls", Sense.AT_MOST, 1.20),
          new Goal("open.vs_mtls_handshake", Sense.AT_LEAST, 50),
          new Goal("idle.bytes_per_tunnel", Sense.AT_MOST, 2048),
          new Goal("socket.bulk_vs_channel", Sense.AT_LEAST, 0.85),
          new Goal("inproc.vs_loopback", Sense.AT_LEAST, 1.2),
          new Goal("wds.heap_bytes_per_workload", Sense.AT_MOST, 250),
          new Goal("wds.load_100k_seconds_vs_parse", Sense.AT_MOST, 2.0),
          new Goal("wds.update_vs_parse", Sense.AT_MOST, 5),
          new Goal("wds.lookup_vs_hashmap", Sense.AT_MOST, 2.0),
          new Goal("policy.check_ns_10k_vs_10", Sense.AT_MOST, 1.5),
          new Goal("cpu.hbone_vs_mtls", Sense.AT_MOST, 1.05));

  public boolean isMetBy(double value) {
    return sense == Sense.AT_LEAST ? value >= bound : value <= bound;
  }

  /** How far a value is towards the goal: at 1 it is reached, and more is better. */
  public double score(double value) {
    return sense == Sense.AT_LEAST ? value / bound : bound / value;
  }

  /** Such as {@code ≥ 0.98}. */
  public String text() {
    return (sense == Sense.AT_LEAST ? "≥ " : "≤ ") + number(bound);
  }

  /** Four figures are plenty. */
  public static String number(double value) {
    if (value >= 100) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
