// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

/**
 * The name by which things of a mesh are told apart.
 *
 * @param namespace the namespace
 * @param name the name within it
 */
record NamespacedName(String namespace, String name) {

  static NamespacedName parse(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException("'" + text + "' is not of the form namespace/name");
    }
    return new NamespacedName(text.substring(0, slash), text.substring(slash + 1));
  }
}
