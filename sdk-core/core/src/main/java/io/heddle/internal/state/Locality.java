// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * Where a workload runs. Empty parts are unknown; two unknown parts compare as equal (HBONE
 * reference 2.4).
 *
 * @param region the region
 * @param zone the zone within the region
 * @param subzone the subzone within the zone
 */
public record Locality(String region, String zone, String subzone) {
  /** Nothing known. */
  public static final Locality UNKNOWN = new Locality("", "", "");
}
