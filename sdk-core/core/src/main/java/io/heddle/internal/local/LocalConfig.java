// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Workloads, services and policies as a local configuration states them, all of it valid.
 *
 * @param workloads the workloads
 * @param services the services
 * @param policies the policies
 * @param warnings what is valid and probably not meant
 */
public record LocalConfig(
    List<Workload> workloads,
    List<Service> services,
    List<AuthorizationPolicy> policies,
    List<Problem> warnings) {

  /** Copies the lists. */
  public LocalConfig {
    workloads = List.copyOf(workloads);
    services = List.copyOf(services);
    policies = List.copyOf(policies);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads a YAML text.
   *
   * @param yaml the text
   * @param origin what to call it in messages
   * @param trustDomain what an empty trust domain means
   * @throws InvalidLocalConfigException with all problems, if there is one
   */
  public static LocalConfig parse(String yaml, String origin, TrustDomain trustDomain) {
    YamlText text = YamlText.compose(yaml, origin);
    Reading reading = new Reading(text.maxValues());
    LocalConfig config = null;
    try {
      config = read(reading.value(text.root(), "").mapping(), trustDomain);
    } catch (Reading.GivenUpException enough) {
      // The problems found so far say why.
    }
    List<Problem> problems = reading.problems();
    if (config == null || !problems.isEmpty()) {
      throw new InvalidLocalConfigException(origin, problems);
    }
    return config;
  }

  private static LocalConfig read(YamlMapping fields, TrustDomain trustDomain) {
    WorkloadReader workloadReader = new WorkloadReader(trustDomain);
    List<Workload> workloads = entries(fields, "workloads", workloadReader::read);
    List<Service> services = entries(fields, "services", ServiceReader::read);
    List<AuthorizationPolicy> policies = entries(fields, "policies", PolicyReader::read);
    fields.rejectOthers();
    return new LocalConfig(
        workloads, services, policies, fields.self().reading().danglingReferences());
  }

  private static <T> List<T> entries(
      YamlMapping fields, String name, Function<YamlMapping, @Nullable T> reader) {
    return fields.list(name, value -> value.mapping().readBy(reader));
  }

  /** A batch that puts this in the place of everything that is known. */
  public UpdateBatch replacement() {
    UpdateBatch.Builder batch = UpdateBatch.replacement();
    workloads.forEach(batch::put);
    services.forEach(batch::put);
    policies.forEach(policy -> batch.putPolicy(policy.key(), policy));
    return batch.build();
  }
}
