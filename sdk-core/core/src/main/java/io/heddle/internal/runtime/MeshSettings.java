// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.hbone.HboneSettings;
import io.heddle.identity.SvidSource;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.route.Balancing;
import io.heddle.spi.HostResolver;
import io.heddle.spi.MeshTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a mesh is started with. Null stands for "not said": the environment and then the default
 * decide.
 *
 * @param variables the environment that names a control plane; null if there is none
 * @param startPatience how long a start may wait for the control plane
 * @param localFile YAML file with the mesh's state
 * @param localConfiguration the same as text
 * @param workload {@code namespace/name/serviceAccount}
 * @param identity source of the certificate, owned by the caller
 * @param developmentDirectory where the development root is shared
 * @param certificateLifetime of development certificates
 * @param forceDevelopmentIdentity whether the development root may be used in a pod
 * @param trustDomain of workloads that name none
 * @param network that the own addresses belong to
 * @param refuseUnknown whether unknown destinations are refused
 * @param balancing how endpoints are chosen
 * @param unknownPolicies what happens while a policy cannot be applied
 * @param requiresWaypoint whether who does not come through a waypoint is refused where there is
 *     one
 * @param servesPlaintext whether policies decide on callers in plain text, or nobody listens for
 *     them
 * @param telemetry the one listener
 * @param hostResolver finds the addresses of host names
 * @param hbone numbers of the tunnels
 * @param drainPeriod how long open connections may finish at the end
 * @param admin whether operators are served
 * @param eventLoops threads that carry the tunnels
 */
public record MeshSettings(
    @Nullable Map<String, String> variables,
    Duration startPatience,
    @Nullable Path localFile,
    @Nullable String localConfiguration,
    @Nullable String workload,
    @Nullable SvidSource identity,
    @Nullable Path developmentDirectory,
    @Nullable Duration certificateLifetime,
    boolean forceDevelopmentIdentity,
    @Nullable String trustDomain,
    @Nullable String network,
    boolean refuseUnknown,
    Balancing balancing,
    UnknownPolicies unknownPolicies,
    boolean requiresWaypoint,
    boolean servesPlaintext,
    MeshTelemetry telemetry,
    HostResolver hostResolver,
    HboneSettings hbone,
    Duration drainPeriod,
    @Nullable AdminChoice admin,
    int eventLoops) {

  /** Whether the state of the mesh is given here, and no control plane has it. */
  boolean isLocal() {
    return localFile != null || localConfiguration != null;
  }
}
