// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

  @TempDir private Path directory;

  @Test
  void ratiosAreFlatNumbersWithTheirExtremes() throws Exception {
    Results results = new Results(directory);
    results.ratios().add("bulk.hbone_vs_mtls", 0.9);
    results.ratios().add("bulk.hbone_vs_mtls", 1.0);
    results.ratios().add("bulk.hbone_vs_mtls", 0.95);
    results.write();

    JsonNode ratios = json("ratios.json");
    assertThat(ratios.fieldNames())
        .toIterable()
        .containsExactly("bulk.hbone_vs_mtls", "bulk.hbone_vs_mtls.min", "bulk.hbone_vs_mtls.max");
    assertThat(ratios.get("bulk.hbone_vs_mtls").asDouble()).isEqualTo(0.95);
    assertThat(ratios.get("bulk.hbone_vs_mtls.min").asDouble()).isEqualTo(0.9);
    assertThat(ratios.get("bulk.hbone_vs_mtls.max").asDouble()).isEqualTo(1.0);
  }

  @Test
  void factsAreReportedBesideTheFigures() throws Exception {
    Results results = new Results(directory);
    Measurement found = new Measurement();
    found.fact("tls.negotiated", "TLSv1.3");
    found.figures().add("bulk.tcp_mb_per_s", 4000);
    results.add(found);
    results.write();

    JsonNode figures = json("figures.json");
    assertThat(figures.get("facts").get("tls.negotiated").asText()).isEqualTo("TLSv1.3");
    assertThat(figures.get("bulk.tcp_mb_per_s").asDouble()).isEqualTo(4000);
  }

  @Test
  void samplesOfABenchmarkAreTakenOverWhole() {
    Samples of = new Samples();
    of.add("a", 1);
    of.add("a", 3);
    Samples all = new Samples();
    all.add("b", 5);

    all.addAll(of);

    assertThat(all.statistics())
        .containsEntry("a", new Statistics(2, 1, 3))
        .containsEntry("b", new Statistics(5, 5, 5));
  }

  @Test
  void aMeasurementCrossesBetweenProcessesWhole() throws Exception {
    Measurement found = new Measurement();
    found.fact("tls.negotiated", "TLSv1.3");
    found.ratios().add("a", 1);
    found.ratios().add("a", 3);
    found.figures().add("b", 5);
    found.write(directory.resolve("found.json"));

    Measurement read = Measurement.read(directory.resolve("found.json"));

    assertThat(read.facts()).isEqualTo(found.facts());
    assertThat(read.ratios().statistics()).isEqualTo(found.ratios().statistics());
    assertThat(read.figures().statistics()).isEqualTo(found.figures().statistics());
  }

  @Test
  void nothingOfAnEarlierRunIsLeft() throws Exception {
    Results earlier = new Results(directory);
    earlier.ratios().add("bulk.hbone_vs_mtls", 1);
    earlier.write();

    new Results(directory);

    assertThat(Files.list(directory)).isEmpty();
  }

  private JsonNode json(String name) throws Exception {
    return new ObjectMapper().readTree(directory.resolve(name).toFile());
  }
}
