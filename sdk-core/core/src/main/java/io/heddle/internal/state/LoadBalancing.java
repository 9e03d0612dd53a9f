// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.List;

/**
 * How an endpoint of a service is chosen.
 *
 * @param mode what the preferences mean
 * @param routingPreferences what endpoint and client should have in common, most important first
 * @param healthPolicy whether unhealthy endpoints are kept
 */
public record LoadBalancing(
    Mode mode, List<RoutingScope> routingPreferences, HealthPolicy healthPolicy) {

  /** Any healthy endpoint. */
  public static final LoadBalancing UNSPECIFIED =
      new LoadBalancing(Mode.UNSPECIFIED, List.of(), HealthPolicy.ONLY_HEALTHY);

  /** Copies the preferences. */
  public LoadBalancing {
    routingPreferences = List.copyOf(routingPreferences);
  }

  /** What the preferences mean. */
  public enum Mode {
    /** Preferences are ignored. */
    UNSPECIFIED,
    /** Only endpoints that match all of them. */
    STRICT,
    /** The endpoints that match most of them. */
    FAILOVER,
    /** No choice is made: the connection goes where the client dialled. */
    PASSTHROUGH
  }

  /** One thing that client and endpoint may have in common. */
  public enum RoutingScope {
    /** The same region. */
    REGION,
    /** The same zone. */
    ZONE,
    /** The same subzone. */
    SUBZONE,
    /** The same node. */
    NODE,
    /** The same cluster. */
    CLUSTER,
    /** The same network. */
    NETWORK
  }

  /** Whether unhealthy endpoints are kept. Applied when an endpoint is inserted. */
  public enum HealthPolicy {
    /** Unhealthy endpoints are left out. */
    ONLY_HEALTHY,
    /** All endpoints are kept. */
    ALLOW_ALL
  }
}
