// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

/**
 * Something in the file that is not as it should be.
 *
 * @param line the line, from 1
 * @param path the way to the value, such as {@code workloads[1].workloadIps[0]}; empty for the
 *     whole file
 * @param what what is wrong
 * @param advice what to do about it, or empty
 */
public record Problem(int line, String path, String what, String advice) {
  @Override
  public String toString() {
    return "line "
        + line
        + (path.isEmpty() ? "" : ", " + path)
        + ": "
        + what
        + (advice.isEmpty() ? "" : "; " + advice);
  }
}
