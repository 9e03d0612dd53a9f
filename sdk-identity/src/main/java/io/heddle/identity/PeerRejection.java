// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

/**
 * Why a peer's certificate was refused. The names are stable: logs, metrics and tests use them.
 *
 * @see PeerRejectedException
 */
public enum PeerRejection {
  /** The peer sent no certificate. */
  NO_CERTIFICATE,
  /** More certificates, or more bytes, than any honest peer sends. */
  CHAIN_TOO_LARGE,
  /** A certificate cannot be read. */
  PARSE,
  /**
   * The leaf may sign certificates (basic constraints say CA); such a certificate is no identity.
   */
  LEAF_IS_CA,
  /** The leaf does not say that its key makes digital signatures. */
  KEY_USAGE,
  /** The leaf's key usage allows it to sign certificates or revocation lists. */
  LEAF_SIGNING_USAGE,
  /** The leaf's extended key usage does not cover the part that the peer plays. */
  EKU,
  /** A key is too small, or of a kind that is not accepted. */
  WEAK_KEY,
  /** A certificate is signed with an algorithm that is not accepted, such as SHA-1. */
  WEAK_SIGNATURE,
  /** The leaf has no URI among its subject alternative names. */
  NO_URI_SAN,
  /** The leaf has more than one URI among its subject alternative names. */
  MULTIPLE_URI_SAN,
  /** The one URI is not a SPIFFE ID in canonical form. */
  BAD_SPIFFE_ID,
  /** The SPIFFE ID has no path: it names a trust domain, not a workload. */
  ROOT_PATH,
  /** No trust anchors are known for the trust domain of the peer. */
  NO_BUNDLE,
  /** The leaf or an intermediate has expired. */
  EXPIRED,
  /** The leaf or an intermediate is not valid yet, beyond the tolerance for clock differences. */
  NOT_YET_VALID,
  /** The trust anchor that the chain ends at has expired. */
  ANCHOR_EXPIRED,
  /** A certificate above the leaf is not marked as one that may sign certificates. */
  SIGNING_USAGE,
  /** The chain does not lead to a trust anchor of the peer's own trust domain. */
  NO_PATH,
  /** A path length constraint is violated. */
  PATH_LENGTH,
  /** The SPIFFE ID lies outside the name constraints of a certificate above it. */
  NAME_CONSTRAINTS,
  /** A certificate has a critical extension that is not understood. */
  CRITICAL_EXTENSION,
  /** The path leads to a trust anchor but breaks another rule of RFC 5280. */
  INVALID_PATH,
  /** The certificate is good, but this peer is not the one that is wanted or allowed. */
  NOT_AUTHORIZED
}
