// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

/** Answers requests. */
@FunctionalInterface
interface Pages {

  /** The answer; may be called by several threads at once, and may take its time. */
  Answer answer(Question question);
}
