// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A text as nodes that know their lines and tags. Nothing is constructed from it, so a tag can only
 * be looked at.
 *
 * @param root the one document
 * @param maxValues how many values may be read from it
 */
record YamlText(Node root, long maxValues) {

  /** A mesh of 100 000 workloads takes about 40 million characters. */
  static final int MAX_CHARACTERS = 64 << 20;

  /** The format itself is ten levels deep; the composer's stack is not endless. */
  private static final int MAX_DEPTH = 50;

  /** Aliases may repeat what is written, within reason. */
  private static final int MAX_UNFOLDING = 10;

  private static final int ALWAYS_ALLOWED = 1000;

  static YamlText compose(String yaml, String origin) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(origin)
            .setCodePointLimit(MAX_CHARACTERS)
            .setUseMarks(true)
            // Both are judged with their lines while reading.
            .setAllowNonScalarKeys(true)
            .setMaxAliasesForCollections(Integer.MAX_VALUE)
            .build();
    try {
      long events = checkedEvents(yaml, settings, origin);
      Node root = new Compose(settings).composeString(yaml).orElse(null);
      if (root == null) {
        throw invalid(
            origin, 1, "there is nothing in it", "write 'workloads: []' if that is meant");
      }
      return new YamlText(root, ALWAYS_ALLOWED + MAX_UNFOLDING * events);
    } catch (MarkedYamlEngineException malformed) {
      int line =
          malformed.getProblemMark().or(malformed::getContextMark).map(Reading::lineOf).orElse(1);
      String context = malformed.getContext() == null ? "" : malformed.getContext() + ": ";
      throw invalid(origin, line, "this is not YAML", context + malformed.getProblem());
    } catch (YamlEngineException malformed) {
      throw invalid(origin, 1, "this cannot be read", String.valueOf(malformed.getMessage()));
    }
  }

  /** Counts the events; unlike the composer, the parser needs no stack for nested collections. */
  private static long checkedEvents(String yaml, LoadSettings settings, String origin) {
    long events = 0;
    int depth = 0;
    for (Event event : new Parse(settings).parseString(yaml)) {
      events++;
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        int line = event.getStartMark().map(Reading::lineOf).orElse(1);
        throw invalid(origin, line, "more than " + MAX_DEPTH + " levels of nesting", "");
      }
    }
    return events;
  }

  private static InvalidLocalConfigException invalid(
      String origin, int line, String what, String advice) {
    return new InvalidLocalConfigException(origin, List.of(new Problem(line, "", what, advice)));
  }
}
