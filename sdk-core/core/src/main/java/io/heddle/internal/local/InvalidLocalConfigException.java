// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.List;
import java.util.stream.Collectors;

/** A local configuration that was not applied. Says everything that is wrong with it. */
public final class InvalidLocalConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  InvalidLocalConfigException(String origin, List<Problem> problems) {
    super(
        origin
            + " was not applied, "
            + (problems.size() == 1 ? "1 problem:" : problems.size() + " problems:")
            + problems.stream().map(problem -> "\n  " + problem).collect(Collectors.joining()));
    this.problems = List.copyOf(problems);
  }

  /** The problems, in the order of the text. */
  public List<Problem> problems() {
    return problems;
  }
}
