// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTableTest {

  private final VersionTable table = new VersionTable(new Random(1));

  @ParameterizedTest(name = "the version ''{0}'' comes back as it was")
  @ValueSource(
      strings = {
        "0",
        "1",
        "ffffffffffffffff",
        "8000000000000000",
        "",
        "00",
        "0a",
        "A1",
        "v1",
        "-1",
        "10000000000000000",
        "+1"
      })
  void versionsComeBack(String version) {
    table.put("name", version);

    assertThat(table.get("name")).isEqualTo(version);
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("a version of another form takes the place of a number, and the other way round")
  void formsReplaceEachOther() {
    table.put("name", "1");
    table.put("name", "text");
    assertThat(table.get("name")).isEqualTo("text");
    assertThat(table.size()).isEqualTo(1);

    table.put("name", "2");
    assertThat(table.get("name")).isEqualTo("2");
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("a version too long to be kept asks for the resource again")
  void longVersionIsEmpty() {
    table.put("name", "v".repeat(10_000));

    assertThat(table.get("name")).isEmpty();
  }

  @ParameterizedTest(name = "behaves as a map under random changes, seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void behavesAsAMap(long seed) {
    Random random = new Random(seed);
    Map<String, String> model = new HashMap<>();
    for (int step = 0; step < 50_000; step++) {
      String name = "Kubernetes//Pod/ns/" + random.nextInt(2_000);
      if (random.nextInt(3) == 0) {
        table.remove(name);
        model.remove(name);
      } else {
        String version = Long.toHexString(random.nextLong());
        table.put(name, version);
        model.put(name, version);
      }
    }

    assertThat(table.size()).isEqualTo(model.size());
    for (int i = 0; i < 2_000; i++) {
      String name = "Kubernetes//Pod/ns/" + i;
      assertThat(table.get(name)).isEqualTo(model.get(name));
      assertThat(table.contains(name)).isEqualTo(model.containsKey(name));
    }
  }

  @Test
  @DisplayName("cleared, it holds nothing")
  void clear() {
    table.put("a", "1");
    table.put("b", "text");

    table.clear();

    assertThat(table.size()).isZero();
    assertThat(table.get("a")).isNull();
    assertThat(table.get("b")).isNull();
  }
}
