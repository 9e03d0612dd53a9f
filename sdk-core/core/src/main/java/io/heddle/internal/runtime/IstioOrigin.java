// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.grpc.ControlPlane;
import io.heddle.identity.grpc.IstioCaSource;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import io.heddle.internal.xds.AdsClient;
import io.heddle.internal.xds.AdsStatus;
import io.heddle.internal.xds.NodeEnvironment;
import io.heddle.internal.xds.ProxyNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A mesh whose state and certificates come from Istio's control plane. Joining waits until the
 * certificate is there and the first workloads, services and policies have been acknowledged: what
 * a peer may do is not known before (DESIGN D17).
 */
final class IstioOrigin {

  private final MeshSettings settings;
  private final Environment environment;
  private final IstioVariables variables;
  private final Teardown teardown;
  private final LongSupplier nanoTime;
  private final long start;

  IstioOrigin(
      MeshSettings settings,
      Environment environment,
      Map<String, String> variables,
      Teardown teardown,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.environment = environment;
    this.variables = new IstioVariables(variables);
    this.teardown = teardown;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  Origin join() {
    refuseContradictions();
    WorkloadInfo info =
        environment.namesWorkload(settings.workload())
            ? environment.workload(settings.workload())
            : variables.workload();
    TrustDomain trustDomain = environment.trustDomain(settings.trustDomain());
    SpiffeId id = SpiffeId.workload(trustDomain, info.namespace(), info.serviceAccount());
    WorkloadIndex index = new WorkloadIndex(variables.clusterId(), settings.unknownPolicies());
    ControlPlane discovery = variables.discovery();
    AdsClient client = AdsClient.builder(discovery::connect, node(info), index).build();
    teardown.add("control plane", client);
    SvidSource identity = identity(id);
    client.start();

    SpiffeId certified = identity.awaitReady(left()).svid().id();
    awaitState(client, discovery);
    OwnWorkload own = new OwnWorkload(index, info, variables.uid(info));
    Workload record = ownRecord(own, info);
    OwnWorkload.requireId(certified, OwnWorkload.id(record, trustDomain));
    return new Origin(
        index, own, record, certified, identity, () -> troubles(client, discovery, identity));
  }

  private void refuseContradictions() {
    if (settings.isLocal()) {
      throw new StartRefusedException(
          "the mesh's state is given here, and the environment's control plane has it too",
          "give one of fromEnvironment() and localFile(...) or localConfiguration(...)",
          null);
    }
    variables.requireWholeMesh();
  }

  private ProxyNode node(WorkloadInfo info) {
    try {
      return NodeEnvironment.read(variables.describing(info), environment.clusterDomain());
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(
          "the control plane cannot be told who asks: " + e.getMessage(), "mend the variable", e);
    }
  }

  private SvidSource identity(SpiffeId id) {
    SvidSource given = settings.identity();
    if (given != null) {
      return given;
    }
    Duration lifetime = settings.certificateLifetime();
    IstioCaSource source =
        IstioCaSource.builder(variables.authority(), id)
            .lifetime(lifetime == null ? variables.lifetime() : lifetime)
            .build();
    teardown.add("identity", source);
    return source;
  }

  private void awaitState(AdsClient client, ControlPlane discovery) {
    try {
      client.ready().get(left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      String error = client.status().lastError();
      throw new StartRefusedException(
          "the control plane at "
              + discovery
              + " has not delivered the mesh within "
              + settings.startPatience()
              + (error == null ? "" : ": " + error),
          "look at the control plane, its address (XDS_ADDRESS), its roots (XDS_ROOT_CA) and the"
              + " token (AUTH_TOKEN)",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartRefusedException(
          "interrupted while waiting for the control plane", "start the mesh again", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the client was closed by somebody else", e);
    }
  }

  private Workload ownRecord(OwnWorkload own, WorkloadInfo info) {
    Workload record = own.await(left());
    if (record == null) {
      throw new StartRefusedException(
          "own workload unknown: the control plane has no workload "
              + info
              + " (namespace/name/serviceAccount) after "
              + settings.startPatience(),
          "check POD_NAME, POD_NAMESPACE, SERVICE_ACCOUNT and CLUSTER_ID, that the pod has an"
              + " address, and that istiod runs with PILOT_ENABLE_AMBIENT=true",
          null);
    }
    if (record.networkMode() == NetworkMode.HOST_NETWORK) {
      throw new StartRefusedException(
          info + " uses the host's network, where port 15008 and all addresses are the node's",
          "run it in a network of its own, or without a mesh",
          null);
    }
    return record;
  }

  /** One patience for the whole start, so that three waits do not add up. */
  private Duration left() {
    Duration used = Duration.ofNanos(nanoTime.getAsLong() - start);
    Duration left = settings.startPatience().minus(used);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static List<String> troubles(
      AdsClient client, ControlPlane discovery, SvidSource identity) {
    List<String> troubles = new ArrayList<>();
    AdsStatus status = client.status();
    String error = status.lastError();
    if (status.state() != AdsStatus.State.CONNECTED && error != null) {
      troubles.add("control plane " + discovery + ": " + error);
    }
    SourceHealth health = identity.health();
    if (health.state() != SourceHealth.State.READY) {
      troubles.add(
          "certificate "
              + health.state()
              + (health.lastError() == null ? "" : ": " + health.lastError()));
    }
    return troubles;
  }
}
