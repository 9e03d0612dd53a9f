// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.policy.AuthorizationPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What changes at once. Removals go before everything else, so a resource that is both removed and
 * sent stays; of a resource that is sent twice the last one counts.
 */
public final class UpdateBatch {

  private final boolean replacing;
  private final List<String> removals;
  private final List<String> policyRemovals;
  private final List<MeshAddress> addresses;
  private final Map<String, AuthorizationPolicy> policies;
  private final List<Rejection> rejections;

  private UpdateBatch(Builder builder) {
    replacing = builder.replacing;
    removals = List.copyOf(builder.removals);
    policyRemovals = List.copyOf(builder.policyRemovals);
    addresses = List.copyOf(builder.addresses);
    policies = Collections.unmodifiableMap(new LinkedHashMap<>(builder.policies));
    rejections = List.copyOf(builder.rejections);
  }

  /** A batch on top of what is known. */
  public static Builder changes() {
    return new Builder(false);
  }

  /** A batch that takes the place of everything that is known. */
  public static Builder replacement() {
    return new Builder(true);
  }

  /** The resources that were left out because they could not be read. */
  public List<Rejection> rejections() {
    return rejections;
  }

  boolean replacing() {
    return replacing;
  }

  List<String> removals() {
    return removals;
  }

  List<String> policyRemovals() {
    return policyRemovals;
  }

  List<MeshAddress> addresses() {
    return addresses;
  }

  Map<String, AuthorizationPolicy> policies() {
    return policies;
  }

  boolean changesPolicies() {
    return replacing || !policies.isEmpty() || !policyRemovals.isEmpty();
  }

  /** Whether applying it would change nothing. */
  public boolean isEmpty() {
    return !changesPolicies() && removals.isEmpty() && addresses.isEmpty();
  }

  /**
   * A resource that was left out. What was known under its name stays.
   *
   * @param resourceName its name
   * @param reason what is wrong with it
   */
  public record Rejection(String resourceName, String reason) {}

  /** Collects a batch. */
  public static final class Builder {

    private final boolean replacing;
    private final List<String> removals = new ArrayList<>();
    private final List<String> policyRemovals = new ArrayList<>();
    private final List<MeshAddress> addresses = new ArrayList<>();
    private final Map<String, AuthorizationPolicy> policies = new LinkedHashMap<>();
    private final List<Rejection> rejections = new ArrayList<>();

    private Builder(boolean replacing) {
      this.replacing = replacing;
    }

    /** Adds or replaces a workload or service. */
    public Builder put(MeshAddress address) {
      addresses.add(address);
      return this;
    }

    /**
     * Reads a workload or service and adds it. If reading throws an {@link
     * IllegalArgumentException}, this one is rejected and the rest of the batch is not touched.
     */
    public Builder put(String resourceName, Supplier<? extends MeshAddress> reading) {
      try {
        return put(reading.get());
      } catch (IllegalArgumentException malformed) {
        rejections.add(new Rejection(resourceName, String.valueOf(malformed.getMessage())));
        return this;
      }
    }

    /** Adds or replaces a policy. Workloads refer to it by the name of its resource. */
    public Builder putPolicy(String resourceName, AuthorizationPolicy policy) {
      policies.put(resourceName, policy);
      return this;
    }

    /** Removes the workload with this uid or the service with this key, if it is known. */
    public Builder remove(String resourceName) {
      removals.add(resourceName);
      return this;
    }

    /** Removes a policy, if it is known. */
    public Builder removePolicy(String resourceName) {
      policyRemovals.add(resourceName);
      return this;
    }

    /** Makes the batch. */
    public UpdateBatch build() {
      return new UpdateBatch(this);
    }
  }
}
