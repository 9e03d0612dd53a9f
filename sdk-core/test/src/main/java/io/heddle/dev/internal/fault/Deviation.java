// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.fault;

/** One way of not doing what a control plane should do. */
public enum Deviation {
  /** Streams end at once, with the status of an istiod that has not read its cluster yet. */
  NOT_READY,
  /** Requests are read and never answered, those for certificates too. */
  NO_ANSWER,
  /** Every resource of an answer has bytes that are no message of its type. */
  UNREADABLE_RESOURCES,
  /** Answers are of a type that nobody asked for. */
  UNKNOWN_TYPES,
  /** The bytes of an answer are no message at all. */
  BROKEN_MESSAGES,
  /** Each stream ends after its first answer. */
  STREAMS_END,
  /** Certificates are refused with INTERNAL, as by an istiod whose signer is not there. */
  NO_CERTIFICATES,
  /** Certificates are asked for and never answered. */
  CERTIFICATES_UNANSWERED,
  /** Certificates are issued for somebody else. */
  WRONG_IDENTITY,
  /** The answer to a certificate request has no certificate. */
  EMPTY_CHAIN
}
