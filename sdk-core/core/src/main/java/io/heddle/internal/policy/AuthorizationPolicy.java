// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An authorization policy as the control plane or a file states it. It matches a connection when
 * any of its rules holds, and so never when it has none.
 *
 * @param namespace its namespace, empty for the mesh's own
 * @param name its name
 * @param scope the destinations to which it applies
 * @param action what it does
 * @param dryRun whether it only reports
 * @param rules the alternatives
 * @param defect why the policy as written could not be used, or null
 */
public record AuthorizationPolicy(
    String namespace,
    String name,
    Scope scope,
    Action action,
    boolean dryRun,
    List<Rule> rules,
    @Nullable String defect) {

  /** Copies the list. */
  public AuthorizationPolicy {
    rules = List.copyOf(rules);
  }

  /** A policy that could be read. */
  public AuthorizationPolicy(
      String namespace, String name, Scope scope, Action action, boolean dryRun, List<Rule> rules) {
    this(namespace, name, scope, action, dryRun, rules, null);
  }

  /**
   * Stands in for a policy of which a part could not be read and no earlier version is held: the
   * DENY refuses everything and the ALLOW admits nothing, where leaving out the bad part could open
   * either (DESIGN D8).
   *
   * @param defect the path of the bad part and what is wrong with it
   */
  public static AuthorizationPolicy failClosed(
      String namespace, String name, Scope scope, Action action, boolean dryRun, String defect) {
    List<Rule> rules = action == Action.DENY ? List.of(new Rule(List.of())) : List.of();
    return new AuthorizationPolicy(namespace, name, scope, action, dryRun, rules, defect);
  }

  /** {@code namespace/name}, by which workloads and verdicts name it. */
  public String key() {
    return namespace + "/" + name;
  }
}
