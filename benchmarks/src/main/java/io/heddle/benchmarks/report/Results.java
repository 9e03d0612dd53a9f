// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of a run: ratios for machines, figures and facts for people, a chart. What an earlier
 * run left is deleted first, so that a key that was not measured is absent.
 */
public final class Results {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path ratiosFile;
  private final Path figuresFile;
  private final Path chartFile;
  private final Samples ratios = new Samples();
  private final Samples figures = new Samples();
  private final Map<String, String> facts = new LinkedHashMap<>();

  public Results(Path directory) throws IOException {
    ratiosFile = directory.resolve("ratios.json");
    figuresFile = directory.resolve("figures.json");
    chartFile = directory.resolve("ratios.svg");
    Files.createDirectories(directory);
    Files.deleteIfExists(ratiosFile);
    Files.deleteIfExists(figuresFile);
    Files.deleteIfExists(chartFile);
  }

  /** What is judged. */
  public Samples ratios() {
    return ratios;
  }

  /** What is reported. */
  public Samples figures() {
    return figures;
  }

  /** Takes over what a benchmark found. */
  public void add(Measurement found) {
    ratios.addAll(found.ratios());
    figures.addAll(found.figures());
    facts.putAll(found.facts());
  }

  public Map<String, String> facts() {
    return facts;
  }

  /** Writes what there is so far. */
  public void write() throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("facts", facts);
    report.putAll(figures.flat());
    JSON.writeValue(figuresFile.toFile(), report);
    JSON.writeValue(ratiosFile.toFile(), ratios.flat());
    Files.writeString(chartFile, Chart.svg(ratios.statistics(), String.join(", ", conditions())));
  }

  private Iterable<String> conditions() {
    return facts.entrySet().stream()
        .filter(fact -> fact.getKey().startsWith("machine."))
        .map(Map.Entry::getValue)
        .toList();
  }
}
