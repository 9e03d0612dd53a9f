// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

/** A literal, case-sensitive comparison. No value is ever read as a pattern. */
public sealed interface StringMatch {

  /** Whether the value is accepted. */
  boolean matches(String value);

  /** Accepts one value. A star in it is a star. */
  record Exact(String value) implements StringMatch {
    @Override
    public boolean matches(String candidate) {
      return candidate.equals(value);
    }
  }

  /** Accepts what begins so; the empty prefix accepts everything. */
  record Prefix(String prefix) implements StringMatch {
    @Override
    public boolean matches(String candidate) {
      return candidate.startsWith(prefix);
    }
  }

  /** Accepts what ends so; the empty suffix accepts everything. */
  record Suffix(String suffix) implements StringMatch {
    @Override
    public boolean matches(String candidate) {
      return candidate.endsWith(suffix);
    }
  }

  /** Accepts every value but the empty one. */
  record Presence() implements StringMatch {
    @Override
    public boolean matches(String candidate) {
      return !candidate.isEmpty();
    }
  }
}
