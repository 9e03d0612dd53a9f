// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the program logs while this is open; slf4j-simple writes to the error stream. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  public CapturedLog() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  public List<String> lines() {
    return captured.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
