// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one response that were rejected. However many there are, only the first are kept
 * by name: the reasons go back to the control plane in one request.
 */
final class Rejections {

  private static final int KEPT = 50;
  private static final int LONGEST_NAME = 300;
  private static final int LONGEST_REASON = 300;

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private int count;

  void add(String name, String reason) {
    count++;
    if (reasons.size() < KEPT) {
      reasons.put(shortened(name, LONGEST_NAME), shortened(reason, LONGEST_REASON));
    }
  }

  /** How many there were. */
  int count() {
    return count;
  }

  /** The reasons by name, of the first ones. */
  Map<String, String> reasons() {
    return reasons;
  }

  /** {@code name: reason; name: reason}, or null if nothing was rejected. */
  @Nullable String text() {
    if (count == 0) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    reasons.forEach(
        (name, reason) ->
            text.append(text.isEmpty() ? "" : "; ").append(name).append(": ").append(reason));
    if (count > reasons.size()) {
      text.append("; and ").append(count - reasons.size()).append(" more");
    }
    return text.toString();
  }

  static String shortened(String text, int length) {
    return text.length() <= length
        ? text
        : text.substring(0, length) + "... (" + text.length() + " characters)";
  }
}
