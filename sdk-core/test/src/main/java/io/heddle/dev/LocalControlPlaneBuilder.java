// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.dev.internal.server.ControlPlane;
import io.heddle.identity.TrustDomain;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Configures a {@link LocalControlPlane}. Not thread-safe. */
public final class LocalControlPlaneBuilder {

  private MeshState state = MeshState.empty();
  private Clock clock = Clock.systemUTC();
  private String trustDomain = "cluster.local";
  private String clusterId = "Kubernetes";
  private Duration quiet = Duration.ZERO;
  private Duration longest = Duration.ofSeconds(10);
  private Duration signerLifetime = Duration.ofDays(3650);
  private @Nullable Duration certificateLifetime;
  private @Nullable Duration connectionAge;
  private final Set<String> trustedAccounts = new TreeSet<>();

  LocalControlPlaneBuilder() {}

  /**
   * What it announces at first.
   *
   * @param newState by default nothing
   * @return this builder
   */
  public LocalControlPlaneBuilder state(MeshState newState) {
    state = Objects.requireNonNull(newState, "state");
    return this;
  }

  /**
   * The wall clock that certificates and tokens are dated and judged by.
   *
   * @param newClock by default the system's
   * @return this builder
   */
  public LocalControlPlaneBuilder clock(Clock newClock) {
    clock = Objects.requireNonNull(newClock, "clock");
    return this;
  }

  /**
   * The trust domain of all certificates. Workloads of the state have to name it themselves.
   *
   * @param name by default {@code cluster.local}
   * @return this builder
   */
  public LocalControlPlaneBuilder trustDomain(String name) {
    trustDomain = Objects.requireNonNull(name, "trustDomain");
    return this;
  }

  /**
   * The cluster that clients have to name, if they name one.
   *
   * @param id by default {@code Kubernetes}
   * @return this builder
   */
  public LocalControlPlaneBuilder clusterId(String id) {
    clusterId = Objects.requireNonNull(id, "clusterId");
    return this;
  }

  /**
   * How long changes are collected before they are pushed; istiod waits for 100 ms without a
   * change, but for 10 s at most.
   *
   * @param newQuiet how long nothing must change; by default zero, which pushes at once
   * @param newLongest how long a change waits for that at most; by default 10 seconds
   * @return this builder
   */
  public LocalControlPlaneBuilder debounce(Duration newQuiet, Duration newLongest) {
    quiet = Objects.requireNonNull(newQuiet, "quiet");
    longest = Objects.requireNonNull(newLongest, "longest");
    return this;
  }

  /**
   * What a certificate lives at most, whatever its client asks for. Such certificates begin with
   * their making, so that clients renew them after half of that.
   *
   * @param lifetime by default what istiod admits: 90 days, and 24 hours if the client asks for
   *     nothing
   * @return this builder
   */
  public LocalControlPlaneBuilder certificateLifetime(Duration lifetime) {
    certificateLifetime = Objects.requireNonNull(lifetime, "certificateLifetime");
    return this;
  }

  /**
   * How long the certificate lives that signs those of the workloads, none of which outlives it.
   *
   * @param lifetime by default ten years
   * @return this builder
   */
  public LocalControlPlaneBuilder signerLifetime(Duration lifetime) {
    signerLifetime = Objects.requireNonNull(lifetime, "signerLifetime");
    return this;
  }

  /**
   * After what time a connection is told to go away.
   *
   * @param age by default never; istiod's chart sets 30 minutes
   * @return this builder
   */
  public LocalControlPlaneBuilder connectionAge(Duration age) {
    connectionAge = Objects.requireNonNull(age, "connectionAge");
    return this;
  }

  /**
   * Lets a node agent have certificates in the name of workloads of its node.
   *
   * @param serviceAccount {@code namespace/name} of the agent's service account; by default nobody
   * @return this builder
   */
  public LocalControlPlaneBuilder trustedNodeAccount(String serviceAccount) {
    NamespacedName.parse(serviceAccount);
    trustedAccounts.add(serviceAccount);
    return this;
  }

  /**
   * Starts it on a free port of 127.0.0.1.
   *
   * @return the control plane, which listens
   * @throws IllegalStateException if it cannot listen
   */
  public LocalControlPlane start() {
    ControlPlane plane =
        ControlPlane.start(
            new ControlPlane.Settings(
                clock,
                TrustDomain.parse(trustDomain),
                clusterId,
                quiet,
                longest,
                signerLifetime,
                certificateLifetime,
                connectionAge,
                trustedAccounts),
            state.config());
    return new LocalControlPlane(plane, clusterId, state);
  }
}
