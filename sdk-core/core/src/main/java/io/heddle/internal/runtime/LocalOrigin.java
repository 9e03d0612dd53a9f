// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A mesh without a control plane: state from a file, certificates from a development authority. */
final class LocalOrigin {

  private static final Duration IDENTITY_PATIENCE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

  private final MeshSettings settings;
  private final Environment environment;
  private final Teardown teardown;

  LocalOrigin(MeshSettings settings, Environment environment, Teardown teardown) {
    this.settings = settings;
    this.environment = environment;
    this.teardown = teardown;
  }

  Origin join() {
    WorkloadInfo info = environment.workload(settings.workload());
    TrustDomain trustDomain = environment.trustDomain(settings.trustDomain());
    WorkloadIndex index = new WorkloadIndex("", settings.unknownPolicies());
    LocalState.load(settings, trustDomain, index, teardown);
    Workload record = LocalState.ownRecord(index, info);
    SpiffeId id = OwnWorkload.id(record, trustDomain);
    SvidSource given = settings.identity();
    SvidSource identity = given == null ? developmentSource(id) : given;
    OwnWorkload.requireId(identity.awaitReady(IDENTITY_PATIENCE).svid().id(), id);
    return new Origin(index, new OwnWorkload(index, info, null), record, id, identity, List::of);
  }

  private SvidSource developmentSource(SpiffeId id) {
    DevelopmentCa.Builder ca = DevelopmentCa.builder(id.trustDomain());
    Path directory = environment.developmentDirectory(settings.developmentDirectory());
    if (directory != null) {
      ca.sharedIn(directory);
    }
    if (settings.forceDevelopmentIdentity()) {
      ca.force();
    }
    Duration lifetime = settings.certificateLifetime();
    DevelopmentSource source =
        DevelopmentSource.builder(ca.build(), id)
            .lifetime(lifetime == null ? DEFAULT_LIFETIME : lifetime)
            .build();
    teardown.add("identity", source);
    return source;
  }
}
