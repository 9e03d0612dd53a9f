// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.util.ArrayList;
import java.util.List;

/** What a run must show, each with its verdict. */
final class Checks {

  private record Check(String what, boolean holds) {}

  private final List<Check> checks = new ArrayList<>();

  void add(String what, boolean holds) {
    checks.add(new Check(what, holds));
  }

  /** Prints one line a check and the sum; returns whether all hold. */
  boolean report() {
    System.out.println();
    for (Check check : checks) {
      System.out.println((check.holds() ? "ok      " : "not ok  ") + check.what());
    }
    long holding = checks.stream().filter(Check::holds).count();
    System.out.println("quickstart: " + holding + " of " + checks.size() + " checks hold");
    return holding == checks.size();
  }
}
