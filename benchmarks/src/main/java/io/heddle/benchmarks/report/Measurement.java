// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one benchmark found, round by round.
 *
 * @param ratios what is judged
 * @param figures what is reported
 * @param facts conditions under which both arose
 */
public record Measurement(Samples ratios, Samples figures, Map<String, String> facts) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** As it crosses from the process that measured. */
  private record Wire(
      Map<String, List<Double>> ratios,
      Map<String, List<Double>> figures,
      Map<String, String> facts) {}

  /** Nothing yet. */
  public Measurement() {
    this(new Samples(), new Samples(), new LinkedHashMap<>());
  }

  /** A condition under which the figures arose. */
  public void fact(String name, String value) {
    facts.put(name, value);
  }

  public void write(Path file) throws IOException {
    JSON.writeValue(file.toFile(), new Wire(ratios.rounds(), figures.rounds(), facts));
  }

  public static Measurement read(Path file) throws IOException {
    Wire wire = JSON.readValue(file.toFile(), Wire.class);
    return new Measurement(Samples.of(wire.ratios()), Samples.of(wire.figures()), wire.facts());
  }
}
