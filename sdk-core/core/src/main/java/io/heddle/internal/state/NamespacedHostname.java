// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * A host name as one namespace means it; the key of a service.
 *
 * @param namespace the namespace
 * @param hostname the full host name
 */
public record NamespacedHostname(String namespace, String hostname) {

  /**
   * Reads {@code namespace/hostname}.
   *
   * @throws IllegalArgumentException with the reason, when the text is anything else
   */
  public static NamespacedHostname parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException("'" + text + "' is not namespace/hostname");
    }
    return new NamespacedHostname(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof NamespacedHostname that
            && hostname.equals(that.hostname)
            && namespace.equals(that.namespace));
  }

  /** Written out because it is taken of every endpoint: texts know theirs. */
  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + hostname.hashCode();
  }

  @Override
  public String toString() {
    return namespace + "/" + hostname;
  }
}
