// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.spi;

/**
 * Who talks to whom: the labels of Istio's TCP metrics. Values are never null; an absent one is
 * empty.
 *
 * @param reporter which end counts
 * @param source the initiator
 * @param destination the workload that the connection goes to; behind a waypoint, the waypoint
 * @param service host name of the service that the initiator asked for
 * @param serviceNamespace its namespace
 * @param serviceName its short name
 * @param mutualTls whether both ends proved their identity
 */
public record ConnectionLabels(
    Reporter reporter,
    Party source,
    Party destination,
    String service,
    String serviceNamespace,
    String serviceName,
    boolean mutualTls) {

  /** Which end of a connection counts it. */
  public enum Reporter {
    /** The client's end. */
    SOURCE,
    /** The server's end. */
    DESTINATION
  }

  /**
   * One end of a connection.
   *
   * @param workload workload name, such as a deployment's
   * @param namespace its namespace
   * @param principal SPIFFE id, proven by TLS; empty in plain text
   * @param canonicalService canonical service name
   * @param canonicalRevision canonical revision
   * @param cluster cluster id
   * @param region region of its locality
   * @param zone zone of its locality
   */
  public record Party(
      String workload,
      String namespace,
      String principal,
      String canonicalService,
      String canonicalRevision,
      String cluster,
      String region,
      String zone) {

    /** Nothing is known of this end. */
    public static final Party UNKNOWN = new Party("", "", "", "", "", "", "", "");

    /**
     * The same end with the identity that TLS proved.
     *
     * @param proven SPIFFE id, or empty in plain text
     * @return a copy that differs in the principal
     */
    public Party withPrincipal(String proven) {
      return new Party(
          workload, namespace, proven, canonicalService, canonicalRevision, cluster, region, zone);
    }
  }
}
