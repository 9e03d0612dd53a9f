// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentTableTest {

  /** An element whose identity counts, with a key of which several elements may have the same. */
  private static final class Element {
    private final int key;

    private Element(int key) {
      this.key = key;
    }
  }

  @ParameterizedTest(name = "agrees with lists in a HashMap over {0} different hashes")
  @ValueSource(ints = {1, 7, 300, 100_000})
  void agreesWithAHashMap(int hashes) {
    Random random = new Random(hashes);
    Map<Integer, List<Element>> model = new HashMap<>();
    List<Element> all = new ArrayList<>();
    PersistentTable<Element> table = PersistentTable.empty();

    for (int batch = 0; batch < 60; batch++) {
      TableEdit<Element> edit = table.edit();
      // Growing first, then shrinking, so that pages are made and given up.
      int growing = batch < 30 ? 4 : 1;
      for (int i = 0; i < 40; i++) {
        if (all.isEmpty() || random.nextInt(5) < growing) {
          Element element = new Element(random.nextInt(hashes));
          edit.add(element.key, element);
          all.add(element);
          model.computeIfAbsent(element.key, key -> new ArrayList<>()).add(element);
        } else if (random.nextBoolean()) {
          Element gone = all.remove(random.nextInt(all.size()));
          edit.remove(gone.key, gone);
          model.get(gone.key).remove(gone);
        } else {
          Element former = all.remove(random.nextInt(all.size()));
          Element element = new Element(former.key);
          edit.replace(former.key, former, element);
          all.add(element);
          model.get(former.key).remove(former);
          model.get(former.key).add(element);
        }
      }
      table = edit.finish();
      assertThat(table.size()).isEqualTo(all.size());
      assertThat(table.toList()).containsExactlyInAnyOrderElementsOf(all);
      PersistentTable<Element> current = table;
      model.forEach(
          (key, elements) ->
              assertThat(found(current, key)).containsExactlyInAnyOrderElementsOf(elements));
    }
  }

  @Test
  @DisplayName("an edited copy leaves its origin as it was, and one that changes nothing is it")
  void originStays() {
    PersistentTable<Element> origin = numbered(10_000);
    TableEdit<Element> edit = origin.edit();
    for (Element element : origin.toList()) {
      if (element.key % 2 == 0) {
        edit.remove(element.key, element);
      }
    }

    PersistentTable<Element> changed = edit.finish();

    assertThat(origin.size()).isEqualTo(10_000);
    assertThat(found(origin, 4242)).hasSize(1);
    assertThat(changed.size()).isEqualTo(5_000);
    assertThat(found(changed, 4242)).isEmpty();
    assertThat(found(changed, 4243)).hasSize(1);
    assertThat(origin.edit().finish()).isSameAs(origin);
  }

  @Test
  @DisplayName("one change copies no more than a page and the way to it")
  void changeIsSmall() {
    PersistentTable<Element> origin = numbered(100_000);
    TableEdit<Element> edit = origin.edit();
    edit.add(5, new Element(5));

    PersistentTable<Element> changed = edit.finish();

    int copied = 0;
    for (int page = 0; page < origin.pages; page++) {
      copied += origin.hashes(page) == changed.hashes(page) ? 0 : 1;
    }
    assertThat(changed.pages).isEqualTo(origin.pages);
    assertThat(copied).isEqualTo(1);
  }

  @Test
  @DisplayName("a table that lost nearly everything gives its pages up")
  void shrinks() {
    PersistentTable<Element> origin = numbered(10_000);
    TableEdit<Element> edit = origin.edit();
    origin.forEach(
        element -> {
          if (element.key >= 10) {
            edit.remove(element.key, element);
          }
        });

    assertThat(edit.finish().pages).isEqualTo(1);
  }

  private static PersistentTable<Element> numbered(int count) {
    TableEdit<Element> edit = PersistentTable.<Element>empty().edit();
    edit.reserve(count);
    for (int i = 0; i < count; i++) {
      edit.add(i, new Element(i));
    }
    return edit.finish();
  }

  private static List<Element> found(Pages<Element> table, int key) {
    List<Element> found = new ArrayList<>();
    for (long at = table.first(key); at != Pages.NONE; at = table.next(at)) {
      found.add(table.element(at));
    }
    return found;
  }
}
