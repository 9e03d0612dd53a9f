// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while this is open. The tests' logger writes to the standard error stream. */
public final class CapturedLog implements AutoCloseable {

  private final PrintStream original = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  /** Starts to capture. */
  public CapturedLog() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  /** The lines so far. */
  public List<String> lines() {
    return captured.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** The lines so far that warn and contain {@code text}. */
  public List<String> warnings(String text) {
    return lines().stream().filter(l -> l.contains("WARN") && l.contains(text)).toList();
  }

  @Override
  public void close() {
    System.setErr(original);
  }
}
