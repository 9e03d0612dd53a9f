// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The ratios as an SVG picture. Their units differ, so a bar shows how far its key is towards its
 * goal: longer is better, and the line is the goal. Legible on light and dark ground.
 */
public final class Chart {

  private static final int WIDTH = 900;
  private static final int ROW = 30;
  private static final int TOP = 64;
  private static final int LEFT = 210;
  private static final int PLOT = 430;
  private static final double FULL_SCALE = 2;

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f; }
        .title { font-size: 16px; font-weight: 600; }
        .small { font-size: 12px; fill: #57606a; }
        .met { fill: #2f81c7; } .missed { fill: #d9822b; }
        .whisker { stroke: #24292f; stroke-width: 1.5; }
        .goal { stroke: #24292f; stroke-width: 1.5; stroke-dasharray: 4 3; }
        .track { fill: #8b949e; fill-opacity: 0.15; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3; } .small { fill: #9aa4af; }
          .whisker, .goal { stroke: #e6edf3; }
        }
      </style>
      """;

  private Chart() {}

  /** Draws the goals that were measured. */
  public static String svg(Map<String, Statistics> ratios, String conditions) {
    List<Goal> goals = Goal.ALL.stream().filter(goal -> ratios.containsKey(goal.key())).toList();
    int bottom = TOP + goals.size() * ROW;
    int height = bottom + 34;
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">",
            WIDTH, height));
    lines.add(STYLE.stripTrailing());
    lines.add(text(16, 26, "title", "Heddle against its goals"));
    lines.add(text(16, 46, "small", escaped(conditions)));
    for (int i = 0; i < goals.size(); i++) {
      Goal goal = goals.get(i);
      Statistics of = ratios.get(goal.key());
      if (of != null) {
        row(lines, goal, of, TOP + i * ROW);
      }
    }
    double goalAt = x(1);
    lines.add(line("goal", goalAt, TOP - 4, goalAt, bottom + 4));
    lines.add(
        text(
            LEFT,
            bottom + 22,
            "small",
            "Bars: median towards the goal (dashed line), longer is better; whiskers: min and max"
                + " of the rounds."));
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private static void row(List<String> lines, Goal goal, Statistics of, int y) {
    int middle = y + ROW / 2;
    String kind = goal.isMetBy(of.median()) ? "met" : "missed";
    lines.add(text(16, middle + 4, "key", goal.key()));
    lines.add(bar("track", y, FULL_SCALE));
    lines.add(bar(kind, y, goal.score(of.median())));
    double one = x(goal.score(of.min()));
    double other = x(goal.score(of.max()));
    lines.add(line("whisker", one, middle, other, middle));
    lines.add(line("whisker", one, middle - 5, one, middle + 5));
    lines.add(line("whisker", other, middle - 5, other, middle + 5));
    lines.add(
        text(
            LEFT + PLOT + 14,
            middle + 4,
            "value",
            Goal.number(of.median()) + "   (goal " + goal.text() + ")"));
  }

  private static String bar(String kind, int y, double score) {
    return format(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
        kind, LEFT, y + 6, x(score) - LEFT, ROW - 12);
  }

  private static String line(String kind, double x1, double y1, double x2, double y2) {
    return format(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        kind, x1, y1, x2, y2);
  }

  private static String text(int x, int y, String kind, String text) {
    return format("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", kind, x, y, text);
  }

  /** What is beyond the scale ends at its edge. */
  private static double x(double score) {
    return LEFT + PLOT * Math.min(score, FULL_SCALE) / FULL_SCALE;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String format(String template, Object... values) {
    return String.format(Locale.ROOT, template, values);
  }
}
