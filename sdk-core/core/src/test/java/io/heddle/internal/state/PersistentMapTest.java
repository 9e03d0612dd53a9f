// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {

  /** A key whose hash has few values, so that branches and collisions both appear. */
  private record Key(int value, int hashes) {
    @Override
    public int hashCode() {
      return value % hashes;
    }
  }

  @ParameterizedTest(name = "agrees with a HashMap over {0} different hashes")
  @ValueSource(ints = {1, 7, 500, 1_000_000})
  void agreesWithAHashMap(int hashes) {
    Random random = new Random(hashes);
    Map<Key, Integer> reference = new HashMap<>();
    PersistentMap<Key, Integer> map = PersistentMap.empty();

    for (int i = 0; i < 4_000; i++) {
      Key key = new Key(random.nextInt(400), hashes);
      if (random.nextInt(5) < 2) {
        reference.remove(key);
        map = map.without(key);
      } else {
        reference.put(key, i);
        map = map.with(key, i);
      }
      assertThat(map.size()).isEqualTo(reference.size());
      assertThat(map.get(key)).isEqualTo(reference.get(key));
      if (i % 100 == 0) {
        assertThat(contents(map)).isEqualTo(reference);
      }
    }
    assertThat(contents(map)).isEqualTo(reference);
    for (Key key : reference.keySet()) {
      map = map.without(key);
    }
    assertThat(map.isEmpty()).isTrue();
  }

  @Test
  @DisplayName("a changed copy leaves its origin as it was")
  void originStays() {
    PersistentMap<String, Integer> origin = PersistentMap.<String, Integer>empty().with("a", 1);

    PersistentMap<String, Integer> changed = origin.with("a", 2).with("b", 3).without("a");

    assertThat(origin.get("a")).isEqualTo(1);
    assertThat(origin.size()).isEqualTo(1);
    assertThat(changed.get("a")).isNull();
    assertThat(changed.get("b")).isEqualTo(3);
  }

  @Test
  @DisplayName("the order of iteration depends on the keys, not on the order of insertion")
  void iterationOrder() {
    PersistentMap<String, Integer> forwards = PersistentMap.empty();
    PersistentMap<String, Integer> backwards = PersistentMap.empty();
    for (int i = 0; i < 200; i++) {
      forwards = forwards.with("key-" + i, i);
      backwards = backwards.with("key-" + (199 - i), 199 - i);
    }
    for (int i = 200; i < 300; i++) {
      backwards = backwards.with("key-" + i, i);
    }
    for (int i = 200; i < 300; i++) {
      backwards = backwards.without("key-" + i);
    }

    assertThat(forwards.values()).isEqualTo(backwards.values());
  }

  private static <K, V> Map<K, V> contents(PersistentMap<K, V> map) {
    Map<K, V> contents = new HashMap<>();
    map.forEach(
        (key, value) -> assertThat(contents.put(key, value)).as("seen twice: %s", key).isNull());
    return contents;
  }
}
