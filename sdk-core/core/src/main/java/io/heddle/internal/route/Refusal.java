// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

/** Why a connection is not made. */
public enum Refusal {
  /** It would end at the mesh's own port on this workload. */
  LOOP_DETECTED("loop detected", "dial the port of an application"),
  /** The mesh does not know the destination, and strangers are refused. */
  UNKNOWN_DESTINATION(
      "the destination is not known to the mesh",
      "register it with a ServiceEntry, or let unknown destinations pass through"),
  /** The service does not declare the port. */
  UNKNOWN_PORT("unknown port of a known service", "declare the port in the service"),
  /** The service has no endpoints at all. */
  NO_ENDPOINTS("no endpoints", "check that its pods run and that its selector matches them"),
  /** The service has endpoints, and all are left out for their health. */
  NONE_HEALTHY("none healthy", "check the readiness of its pods"),
  /** Endpoints there are, but none with the port. */
  NO_TARGET_PORT("no endpoint has the port", "give the pods a container port of that name"),
  /** Endpoints there are, but nowhere to dial. */
  NO_ADDRESS("no address", "give the workload an address of an admitted family or a host name"),
  /** The workload has a host name in place of addresses, and that leads nowhere. */
  UNRESOLVED_HOSTNAME(
      "the workload's host name cannot be resolved", "check the name, and this host's DNS"),
  /** Endpoints there are, but only where no gateway leads. */
  OTHER_NETWORK(
      "not a reachable network", "give the endpoint's network a gateway, or check NETWORK"),
  /** Endpoints there are, but none as near as the service demands. */
  NO_LOCALITY_MATCH(
      "no endpoint matches the strict routing preferences", "relax the service's load balancing"),
  /** The endpoints in question take no share of the traffic. */
  NO_CAPACITY("no endpoint has capacity", "give an endpoint a weight above 0"),
  /** The way leads through a waypoint that cannot be found. */
  WAYPOINT_UNAVAILABLE("waypoint unavailable", "check that the waypoint is deployed and ready"),
  /** The way leads through a gateway that cannot be found. */
  GATEWAY_UNAVAILABLE("network gateway unavailable", "check the gateway of the endpoint's network"),
  /** On another network only services can be reached, and this is none. */
  NOT_A_SERVICE("only a service can be reached on another network", "dial the name of its service"),
  /** Behind a network gateway any workload of the service may answer, and none is named. */
  NO_SERVICE_IDENTITY(
      "the service names no identity that may answer behind its network gateway",
      "give the service subject alternative names, such as those of its service accounts"),
  /** Whoever would answer could not be told from an impostor. */
  UNKNOWN_IDENTITY(
      "the peer's identity is unknown",
      "check its trust domain and service account, or the subject alternative names of the service");

  private final String summary;
  private final String advice;

  Refusal(String summary, String advice) {
    this.summary = summary;
    this.advice = advice;
  }

  /** What was decided, in few words. */
  public String summary() {
    return summary;
  }

  /** What to do about it. */
  public String advice() {
    return advice;
  }
}
