// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * One pass over a text: what was found wrong so far, and how much more may be read.
 *
 * <p>Reading goes on after a problem, with a stand-in value, so that all of them are found at once.
 */
final class Reading {

  /** A text that is wrong in this many places is wrong in one that repeats itself. */
  private static final int MAX_PROBLEMS = 100;

  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Integer> firstLines = new HashMap<>();
  private final List<Reference> references = new ArrayList<>();
  private long valuesLeft;

  /**
   * Starts a pass.
   *
   * @param maxValues how many values may be read; aliases can unfold a small text to any size
   */
  Reading(long maxValues) {
    valuesLeft = maxValues;
  }

  private record Reference(YamlValue place, String name, String consequence) {}

  YamlValue value(Node node, String path) {
    if (--valuesLeft < 0) {
      reject(node, path, "aliases unfold this text to many times its size", "write values out");
      throw new GivenUpException();
    }
    return new YamlValue(this, node, path);
  }

  void reject(Node node, String path, String what, String advice) {
    reject(lineOf(node), path, what, advice);
  }

  void reject(int line, String path, String what, String advice) {
    problems.add(new Problem(line, path, what, advice));
    if (problems.size() >= MAX_PROBLEMS) {
      throw new GivenUpException();
    }
  }

  /** Notes that a name is taken, which no other value may take. */
  void claim(YamlValue owner, String name) {
    Integer first = firstLines.putIfAbsent(name, lineOf(owner.node()));
    if (first != null) {
      owner.reject(name + " is taken since line " + first, "give it another name");
    }
  }

  /** Notes that a name is used, which may be claimed further down. */
  void refer(YamlValue place, String name, String consequence) {
    references.add(new Reference(place, name, consequence));
  }

  /** All problems, in the order of the text. */
  List<Problem> problems() {
    return problems.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
  }

  /** The names that nothing in the text has, once all of it is read. */
  List<Problem> danglingReferences() {
    return references.stream()
        .filter(reference -> !firstLines.containsKey(reference.name()))
        .map(
            reference ->
                new Problem(
                    lineOf(reference.place().node()),
                    reference.place().path(),
                    reference.name() + " is not in this file",
                    reference.consequence()))
        .toList();
  }

  static int lineOf(Node node) {
    return node.getStartMark().map(Reading::lineOf).orElse(0);
  }

  static int lineOf(Mark mark) {
    return mark.getLine() + 1;
  }

  /** Ends a pass that would find nothing new; the problems say why. */
  static final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private GivenUpException() {
      super("gave up reading", null, false, false);
    }
  }
}
