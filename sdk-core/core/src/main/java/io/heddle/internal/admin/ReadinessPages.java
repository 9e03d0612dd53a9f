// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import java.util.List;
import java.util.function.Supplier;

/**
 * {@code /healthz/ready} in the words of HBONE reference 7.4.
 *
 * @param pending names what the mesh still waits for; empty when it is ready
 */
public record ReadinessPages(Supplier<List<String>> pending) implements Pages {

  static final String PATH = "/healthz/ready";

  @Override
  public Answer answer(Question question) {
    if (!question.path().equals(PATH)) {
      return Answer.text(404, "not found: the only page here is " + PATH + "\n");
    }
    if (!question.method().equals("GET")) {
      return Answer.text(405, PATH + " is read by GET\n");
    }
    List<String> waiting = pending.get();
    return waiting.isEmpty()
        ? Answer.text(200, "ready\n")
        : Answer.text(500, "not ready, pending: " + String.join(", ", waiting) + "\n");
  }
}
