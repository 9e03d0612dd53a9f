// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.catalog;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of what became different between two catalogs.
 *
 * @param addresses workloads and services
 * @param policies policies
 */
public record CatalogChange(Set<String> addresses, Set<String> policies) {

  /** Copies the sets; they stay in order. */
  public CatalogChange {
    addresses = Collections.unmodifiableSet(new TreeSet<>(addresses));
    policies = Collections.unmodifiableSet(new TreeSet<>(policies));
  }

  /** Whether nothing is different. */
  public boolean isEmpty() {
    return addresses.isEmpty() && policies.isEmpty();
  }

  /** Both changes in one. */
  public CatalogChange and(CatalogChange other) {
    Set<String> allAddresses = new TreeSet<>(addresses);
    allAddresses.addAll(other.addresses);
    Set<String> allPolicies = new TreeSet<>(policies);
    allPolicies.addAll(other.policies);
    return new CatalogChange(allAddresses, allPolicies);
  }
}
