// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.HboneSettings;
import io.heddle.identity.IdentityException;
import io.heddle.identity.SvidSource;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.route.Balancing;
import io.heddle.internal.runtime.AdminChoice;
import io.heddle.internal.runtime.MeshRuntime;
import io.heddle.internal.runtime.MeshSettings;
import io.heddle.internal.runtime.StartRefusedException;
import io.heddle.spi.HostResolver;
import io.heddle.spi.MeshTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configures a {@link Mesh}. Each value may be set once; what is not set has the default that the
 * method names. Not thread-safe.
 */
public final class MeshBuilder {

  /** HBONE reference 3.8: the drain deadline of the ambient node proxy. */
  private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(5);

  /** Longer than a control plane's restart, shorter than a kubelet's patience. */
  private static final Duration DEFAULT_START_PATIENCE = Duration.ofSeconds(60);

  private @Nullable Map<String, String> variables;
  private @Nullable Duration startPatience;
  private @Nullable Path localFile;
  private @Nullable String localConfiguration;
  private @Nullable String workload;
  private @Nullable SvidSource identity;
  private @Nullable Path developmentDirectory;
  private @Nullable Duration certificateLifetime;
  private @Nullable String trustDomain;
  private @Nullable String network;
  private @Nullable Duration drainPeriod;
  private @Nullable MeshTelemetry telemetry;
  private @Nullable HostResolver hostResolver;
  private @Nullable HboneSettings hbone;
  private @Nullable UnknownDestinations unknownDestinations;
  private @Nullable MissingPolicies missingPolicies;
  private boolean requireWaypoint;
  private @Nullable PlaintextCallers plaintextCallers;
  private @Nullable EndpointSelection endpointSelection;
  private @Nullable AdminChoice admin;
  private @Nullable Integer eventLoops;
  private boolean forceDevelopmentIdentity;

  MeshBuilder() {}

  /**
   * Joins the mesh of Istio's control plane, as the environment of a pod describes it. The
   * variables have the names and defaults of the ambient node proxy; in a pod with the downward API
   * ({@code POD_NAME}, {@code POD_NAMESPACE}, {@code SERVICE_ACCOUNT}, {@code INSTANCE_IP}), the
   * projected token and the mounted root certificate no other is needed.
   *
   * <p>The start waits for the certificate, for the first workloads, services and policies and for
   * this workload's own record. Afterwards the control plane may go away: the mesh goes on with
   * what it has, see {@link Mesh#health}.
   *
   * @return this builder
   */
  public MeshBuilder fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /**
   * The same with variables that are given here.
   *
   * @param environment in place of this process's own
   * @return this builder
   */
  public MeshBuilder fromEnvironment(Map<String, String> environment) {
    variables = once("fromEnvironment", variables, Map.copyOf(environment));
    return this;
  }

  /**
   * How long {@link #start} may wait for the control plane before it fails. A mesh that was started
   * waits for ever.
   *
   * @param patience by default a minute
   * @return this builder
   */
  public MeshBuilder startPatience(Duration patience) {
    startPatience = once("startPatience", startPatience, patience);
    return this;
  }

  /**
   * Workloads, services and policies come from a file in ztunnel's local format, which is read
   * again when it changes.
   *
   * @param file the YAML file
   * @return this builder
   */
  public MeshBuilder localFile(Path file) {
    localFile = once("localFile", localFile, file);
    return this;
  }

  /**
   * Workloads, services and policies are given here, in the same format.
   *
   * @param yaml the text of such a file
   * @return this builder
   */
  public MeshBuilder localConfiguration(String yaml) {
    localConfiguration = once("localConfiguration", localConfiguration, yaml);
    return this;
  }

  /**
   * Who this process is among the workloads.
   *
   * @param namespaceNameAccount {@code namespace/name/serviceAccount}; by default the environment
   *     variable {@code PROXY_WORKLOAD_INFO}
   * @return this builder
   */
  public MeshBuilder workload(String namespaceNameAccount) {
    workload = once("workload", workload, namespaceNameAccount);
    return this;
  }

  /**
   * Where this workload's certificate comes from.
   *
   * @param source stays the caller's to close; by default a development certificate authority
   * @return this builder
   */
  public MeshBuilder identity(SvidSource source) {
    identity = once("identity", identity, source);
    return this;
  }

  /**
   * Where processes of one machine share the root of the development certificate authority.
   *
   * @param directory made on demand, readable by its owner only; by default the system property
   *     {@code heddle.development.directory}, else the root lives in this process's memory and
   *     nobody else trusts it
   * @return this builder
   */
  public MeshBuilder developmentDirectory(Path directory) {
    developmentDirectory = once("developmentDirectory", developmentDirectory, directory);
    return this;
  }

  /**
   * How long certificates of the development certificate authority live; they are renewed at about
   * half of that.
   *
   * @param lifetime at least a second; by default an hour
   * @return this builder
   */
  public MeshBuilder certificateLifetime(Duration lifetime) {
    certificateLifetime = once("certificateLifetime", certificateLifetime, lifetime);
    return this;
  }

  /**
   * Lets the development certificate authority be used in a pod or beside a SPIFFE agent, where it
   * is otherwise refused.
   *
   * @return this builder
   */
  public MeshBuilder forceDevelopmentIdentity() {
    forceDevelopmentIdentity = true;
    return this;
  }

  /**
   * The trust domain of workloads that name none.
   *
   * @param name by default the environment variable {@code TRUST_DOMAIN}, else {@code
   *     cluster.local}
   * @return this builder
   */
  public MeshBuilder trustDomain(String name) {
    trustDomain = once("trustDomain", trustDomain, name);
    return this;
  }

  /**
   * The network that this process's addresses belong to.
   *
   * @param name by default the environment variable {@code NETWORK}, else the network of this
   *     workload's record
   * @return this builder
   */
  public MeshBuilder network(String name) {
    network = once("network", network, name);
    return this;
  }

  /**
   * What becomes of destinations that the mesh does not know.
   *
   * @param choice by default {@link UnknownDestinations#PASS_THROUGH}
   * @return this builder
   */
  public MeshBuilder unknownDestinations(UnknownDestinations choice) {
    unknownDestinations = once("unknownDestinations", unknownDestinations, choice);
    return this;
  }

  /**
   * How long {@link Mesh#close} lets open connections finish.
   *
   * @param period by default five seconds
   * @return this builder
   */
  public MeshBuilder drainPeriod(Duration period) {
    drainPeriod = once("drainPeriod", drainPeriod, period);
    return this;
  }

  /**
   * The one listener that is told of every connection.
   *
   * @param listener such as {@code io.heddle.opentelemetry.IstioTcpMetrics}; by default nobody
   * @return this builder
   */
  public MeshBuilder telemetry(MeshTelemetry listener) {
    telemetry = once("telemetry", telemetry, listener);
    return this;
  }

  /**
   * Who finds the addresses of host names.
   *
   * @param resolver asked for names outside the mesh, and for workloads without addresses; by
   *     default {@link HostResolver#system}
   * @return this builder
   */
  public MeshBuilder hostResolver(HostResolver resolver) {
    hostResolver = once("hostResolver", hostResolver, resolver);
    return this;
  }

  /**
   * Windows, limits and deadlines of the tunnels.
   *
   * @param settings by default {@link HboneSettings#defaults}
   * @return this builder
   */
  public MeshBuilder hbone(HboneSettings settings) {
    hbone = once("hbone", hbone, settings);
    return this;
  }

  /**
   * What becomes of connections to this workload while a policy cannot be applied.
   *
   * @param choice by default {@link MissingPolicies#REFUSE}
   * @return this builder
   */
  public MeshBuilder missingPolicies(MissingPolicies choice) {
    missingPolicies = once("missingPolicies", missingPolicies, choice);
    return this;
  }

  /**
   * Refuses connections that do not come through a waypoint, where this workload or a service of it
   * has one. The ambient node proxy leaves this to policies, and so does a mesh by default.
   *
   * @return this builder
   */
  public MeshBuilder requireWaypoint() {
    requireWaypoint = true;
    return this;
  }

  /**
   * What becomes of callers that dial an exposed port in plain TCP, at the workload's addresses.
   *
   * @param choice by default {@link PlaintextCallers#REFUSE}
   * @return this builder
   */
  public MeshBuilder plaintextCallers(PlaintextCallers choice) {
    plaintextCallers = once("plaintextCallers", plaintextCallers, choice);
    return this;
  }

  /**
   * How one of several endpoints of a service is chosen, and what happens when it fails.
   *
   * @param selection by default {@link EndpointSelection#defaults}
   * @return this builder
   */
  public MeshBuilder endpointSelection(EndpointSelection selection) {
    endpointSelection = once("endpointSelection", endpointSelection, selection);
    return this;
  }

  /**
   * Serves operators over HTTP on loopback: {@code /config_dump}, {@code /logging} and {@code
   * /healthz/ready}. A port that is taken is warned of, and the mesh starts without.
   *
   * @param port 0 for any that is free, see {@link Mesh#adminAddress}; by default 15000 in a pod
   *     that has a control plane, and nothing is served elsewhere
   * @return this builder
   */
  public MeshBuilder admin(int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("admin port: " + port + " (expected: 0 to 65535)");
    }
    admin = once("admin", admin, AdminChoice.at(port));
    return this;
  }

  /**
   * Serves no operators, in a pod either.
   *
   * @return this builder
   */
  public MeshBuilder withoutAdmin() {
    admin = once("admin", admin, AdminChoice.OFF);
    return this;
  }

  /**
   * How many threads carry the tunnels.
   *
   * @param threads at least 1; by default one for each processor
   * @return this builder
   */
  public MeshBuilder eventLoops(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("eventLoops: " + threads + " (expected: > 0)");
    }
    eventLoops = once("eventLoops", eventLoops, threads);
    return this;
  }

  /**
   * Starts the mesh: reads the configuration, obtains the certificate, and listens on port 15008 of
   * each of the workload's addresses. Blocks until that is done; a mesh that could not start leaves
   * nothing behind.
   *
   * @return the running mesh
   * @throws MeshException.InvalidConfiguration if it cannot start as configured
   * @throws MeshException.IdentityUnavailable if it obtains no certificate
   */
  public Mesh start() {
    try {
      return new Mesh(MeshRuntime.start(settings()));
    } catch (StartRefusedException e) {
      throw new MeshException.InvalidConfiguration(
          "start the mesh", e.decided(), e.advice(), e.getCause());
    } catch (IdentityException e) {
      throw MeshFailures.of("start the mesh", e);
    }
  }

  private MeshSettings settings() {
    return new MeshSettings(
        variables,
        startPatience == null ? DEFAULT_START_PATIENCE : startPatience,
        localFile,
        localConfiguration,
        workload,
        identity,
        developmentDirectory,
        certificateLifetime,
        forceDevelopmentIdentity,
        trustDomain,
        network,
        unknownDestinations == UnknownDestinations.REFUSE,
        balancing(endpointSelection == null ? EndpointSelection.defaults() : endpointSelection),
        missingPolicies == MissingPolicies.IGNORE ? UnknownPolicies.IGNORE : UnknownPolicies.REFUSE,
        requireWaypoint,
        plaintextCallers == PlaintextCallers.BY_POLICY,
        telemetry == null ? MeshTelemetry.none() : telemetry,
        hostResolver == null ? HostResolver.system() : hostResolver,
        hbone == null ? HboneSettings.defaults() : hbone,
        drainPeriod == null ? DEFAULT_DRAIN : drainPeriod,
        admin,
        eventLoops == null ? Runtime.getRuntime().availableProcessors() : eventLoops);
  }

  private static Balancing balancing(EndpointSelection selection) {
    return new Balancing(
        selection.leastActive(),
        selection.ejectAfter(),
        selection.ejection(),
        selection.attempts());
  }

  private static <T> T once(String name, @Nullable T before, T value) {
    Objects.requireNonNull(value, name);
    if (before != null) {
      throw new IllegalStateException(
          name + " is set already" + (before instanceof Map ? "" : ", to " + before));
    }
    return value;
  }
}
