// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.netty.handler.ssl.OpenSsl;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides for {@link Requires}: present, skipped with the reason, or a failure when demanded. */
final class RequirementCondition implements ExecutionCondition {

  /** What is missing, in one line; empty when it is there. */
  private static final Map<String, Supplier<Optional<String>>> PROBES =
      Map.of(
          "boringssl",
          RequirementCondition::boringSsl,
          "envoy",
          () -> Programs.missing("envoy"),
          "h2spec",
          () -> Programs.missing("h2spec"),
          "istiod",
          () -> Programs.missing("etcd", "kube-apiserver", "pilot-discovery"),
          "namespaces",
          NetworkNamespace::missing);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Requires> requires =
        context
            .getElement()
            .flatMap(element -> AnnotationSupport.findAnnotation(element, Requires.class));
    if (requires.isEmpty()) {
      return ConditionEvaluationResult.enabled("nothing required");
    }
    Set<String> demanded = demanded();
    for (String name : requires.get().value()) {
      Supplier<Optional<String>> probe = PROBES.get(name);
      if (probe == null) {
        throw new IllegalStateException("no probe for requirement '" + name + "'");
      }
      Optional<String> missing = probe.get();
      if (missing.isPresent() && demanded.contains(name)) {
        throw new IllegalStateException("required but absent: " + name + ": " + missing.get());
      }
      if (missing.isPresent()) {
        return ConditionEvaluationResult.disabled(name + ": " + missing.get());
      }
    }
    return ConditionEvaluationResult.enabled("present");
  }

  private static Set<String> demanded() {
    String names =
        System.getProperty("heddle.require", System.getenv().getOrDefault("HEDDLE_REQUIRE", ""));
    return new HashSet<>(List.of(names.split(",")));
  }

  private static Optional<String> boringSsl() {
    return OpenSsl.isAvailable()
        ? Optional.empty()
        : Optional.of("no tcnative for this platform: " + OpenSsl.unavailabilityCause());
  }
}
