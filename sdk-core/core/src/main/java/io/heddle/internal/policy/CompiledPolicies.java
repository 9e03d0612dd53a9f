// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All policies that apply to one destination workload, ready to judge connections. Immutable; any
 * thread may ask.
 */
public final class CompiledPolicies {
  private final PolicyGroup deny;
  private final PolicyGroup allow;
  private final PolicyGroup dryRunDeny;
  private final PolicyGroup dryRunAllow;
  private final List<String> notArrived;

  /**
   * Compiles the policies.
   *
   * @param policies the effective set
   * @param notArrived the names of policies that belong to the set and are not known
   */
  CompiledPolicies(List<AuthorizationPolicy> policies, List<String> notArrived) {
    this.deny = group(policies, policy -> !policy.dryRun() && policy.action() == Action.DENY);
    this.allow = group(policies, policy -> !policy.dryRun() && policy.action() == Action.ALLOW);
    this.dryRunDeny = group(policies, policy -> policy.dryRun() && policy.action() == Action.DENY);
    this.dryRunAllow =
        group(policies, policy -> policy.dryRun() && policy.action() == Action.ALLOW);
    this.notArrived = List.copyOf(notArrived);
  }

  private static PolicyGroup group(
      List<AuthorizationPolicy> policies, Predicate<AuthorizationPolicy> member) {
    return new PolicyGroup(policies.stream().filter(member).toList());
  }

  /** Judges a connection in the order of HBONE reference 5.2. */
  public Verdict evaluate(ConnectionAttributes attributes) {
    Facts facts = Facts.of(attributes);
    List<String> notes = new ArrayList<>();
    for (String key : dryRunDeny.allMatches(facts)) {
      notes.add("dry-run: would be denied by " + key);
    }
    AuthorizationPolicy denying = deny.firstMatch(facts);
    if (denying != null) {
      return denied(denying, notes);
    }
    noteDryRunAllow(facts, notes);
    if (!notArrived.isEmpty()) {
      // An unknown DENY could refuse what is allowed now, an unknown ALLOW admit what is refused.
      String missing = notArrived.get(0);
      return new Verdict.Denied(
          Verdict.Reason.POLICY_NOT_ARRIVED,
          missing,
          "the destination names policy " + missing + ", which has not arrived",
          notes);
    }
    if (allow.isEmpty()) {
      return new Verdict.Allowed(null, notes);
    }
    AuthorizationPolicy allowing = allow.firstMatch(facts);
    return allowing == null ? noneAllowed(notes) : new Verdict.Allowed(allowing.key(), notes);
  }

  private void noteDryRunAllow(Facts facts, List<String> notes) {
    if (dryRunAllow.isEmpty()) {
      return;
    }
    Set<String> matching = dryRunAllow.allMatches(facts);
    for (String key : matching) {
      notes.add("dry-run: would be allowed by " + key);
    }
    if (matching.isEmpty() && allow.isEmpty()) {
      notes.add("dry-run: would be denied (no allow policy matches)");
    }
  }

  private static Verdict denied(AuthorizationPolicy policy, List<String> notes) {
    String message = "explicitly denied by: " + policy.key() + defectOf(policy);
    return new Verdict.Denied(Verdict.Reason.EXPLICITLY_DENIED, policy.key(), message, notes);
  }

  private Verdict noneAllowed(List<String> notes) {
    StringBuilder message = new StringBuilder("allow policies exist, but none allowed");
    for (AuthorizationPolicy policy : allow.defective()) {
      message.append("; ").append(policy.key()).append(defectOf(policy));
    }
    return new Verdict.Denied(Verdict.Reason.NONE_ALLOWED, null, message.toString(), notes);
  }

  private static String defectOf(AuthorizationPolicy policy) {
    @Nullable String defect = policy.defect();
    return defect == null ? "" : " (could not be read: " + defect + ")";
  }
}
