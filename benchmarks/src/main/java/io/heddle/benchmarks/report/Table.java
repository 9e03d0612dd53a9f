// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import java.util.Locale;
import java.util.Map;

/** The figures as text. */
public final class Table {

  private Table() {}

  /** One line for each goal that was measured. */
  public static String ratios(Map<String, Statistics> ratios) {
    StringBuilder text = new StringBuilder();
    text.append(row("key", "median", "min", "max", "goal", "met"));
    for (Goal goal : Goal.ALL) {
      Statistics of = ratios.get(goal.key());
      if (of != null) {
        text.append(
            row(
                goal.key(),
                Goal.number(of.median()),
                Goal.number(of.min()),
                Goal.number(of.max()),
                goal.text(),
                goal.isMetBy(of.median()) ? "yes" : "NO"));
      }
    }
    return text.toString();
  }

  /** One line for each figure; they are reported and never judged. */
  public static String figures(Map<String, Statistics> figures) {
    StringBuilder text = new StringBuilder();
    figures.forEach(
        (key, of) ->
            text.append(
                row(
                    key,
                    Goal.number(of.median()),
                    Goal.number(of.min()),
                    Goal.number(of.max()),
                    "",
                    "")));
    return text.toString();
  }

  private static String row(
      String key, String median, String min, String max, String goal, String met) {
    String line =
        String.format(
            Locale.ROOT, "%-34s %11s %11s %11s %9s  %s", key, median, min, max, goal, met);
    return line.stripTrailing() + System.lineSeparator();
  }
}
