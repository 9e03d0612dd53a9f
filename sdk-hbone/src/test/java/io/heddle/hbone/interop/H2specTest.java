// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.TunnelRig;
import io.heddle.testing.Programs;
import io.heddle.testing.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP/2 conformance of our server, as h2spec (strict cases included) sees it. */
@Tag("interop")
@Requires("h2spec")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2specTest {
  /** h2spec takes the least maximum for granted when it sends a frame that is too large. */
  private static final HboneSettings SMALL_FRAMES =
      HboneSettings.defaults().toBuilder().maxFrameBytes(16_384).build();

  private H2specReport report;

  @BeforeAll
  void runH2spec(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("report.xml");
    try (TunnelRig rig = TunnelRig.serving(SMALL_FRAMES, Echo::new);
        TlsRelay relay = new TlsRelay(rig)) {
      Process h2spec =
          new ProcessBuilder(
                  Programs.get("h2spec").toString(),
                  "--host=127.0.0.1",
                  "--port=" + relay.port(),
                  "--strict",
                  "--timeout=3",
                  "--junit-report=" + file)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("output.txt").toFile())
              .start();
      try {
        assertThat(h2spec.waitFor(100, TimeUnit.SECONDS)).as("h2spec ends").isTrue();
      } finally {
        h2spec.destroyForcibly();
      }
    }
    report = H2specReport.read(file);
  }

  @Test
  @DisplayName("every case of the generic, http2 and hpack suites was run")
  void complete() {
    assertThat(report.outcomes()).hasSize(146);
  }

  @Test
  @DisplayName("each case passes, but for those that h2spec-deviations.txt gives a reason for")
  void deviations() throws IOException {
    Map<String, String> expected = deviationsWithReasons();
    report
        .outcomes()
        .forEach(
            (id, outcome) ->
                assertThat(outcome)
                    .as("%s: %s", id, report.descriptions().get(id))
                    .isEqualTo(expected.getOrDefault(id, "passed")));
    assertThat(report.outcomes()).containsKeys(expected.keySet().toArray(String[]::new));
  }

  private static Map<String, String> deviationsWithReasons() throws IOException {
    Map<String, String> outcomes = new TreeMap<>();
    try (InputStream file =
        H2specTest.class.getResourceAsStream("/interop/h2spec-deviations.txt")) {
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split("\\s+", 3))
          .forEach(columns -> outcomes.put(columns[0], columns[1]));
    }
    return outcomes;
  }
}
