// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be undone, last first; the same list serves a start that failed half-way and the end
 * of a mesh that ran. Every step runs, whatever an earlier one does.
 */
final class Teardown {

  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  private record Step(String what, AutoCloseable action) {}

  private final Deque<Step> steps = new ArrayDeque<>();

  synchronized void add(String what, AutoCloseable action) {
    steps.push(new Step(what, action));
  }

  synchronized void run() {
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      try {
        step.action().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn("closing the mesh: {} failed", step.what(), e);
      }
    }
  }
}
