// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.security.cert.CertificateException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A peer's certificate was refused. Trust managers throw it, so it arrives as a cause of the failed
 * handshake. The message holds no text of the peer that was not escaped, and is never sent to it.
 */
public final class PeerRejectedException extends CertificateException {

  private static final long serialVersionUID = 1L;

  /** Why. */
  private final PeerRejection reason;

  /** What was found and what was expected. */
  private final String detail;

  /** The id that the peer's certificate claims, where it could be read. */
  private final transient @Nullable SpiffeId claimedId;

  /**
   * A refusal.
   *
   * @param reason the rule that was broken
   * @param claimedId the id in the peer's certificate, if it could be read
   * @param detail one line saying what was found and what was expected; must be escaped already
   * @param cause what the library underneath said, if anything
   */
  public PeerRejectedException(
      PeerRejection reason,
      @Nullable SpiffeId claimedId,
      String detail,
      @Nullable Throwable cause) {
    super(message(reason, claimedId, detail), cause);
    this.reason = reason;
    this.detail = detail;
    this.claimedId = claimedId;
  }

  private static String message(PeerRejection reason, @Nullable SpiffeId id, String detail) {
    String peer = id == null ? "peer" : "peer " + id;
    return peer + " rejected, " + reason + ": " + detail;
  }

  /**
   * Why the peer was refused.
   *
   * @return the rule that was broken
   */
  public PeerRejection reason() {
    return reason;
  }

  /**
   * What was found and what was expected: the message without the reason and the id.
   *
   * @return one line, escaped
   */
  public String detail() {
    return detail;
  }

  /**
   * The id that the certificate claims. It is what a stranger said: not verified.
   *
   * @return the id, or empty if the certificate holds none that could be read
   */
  public Optional<SpiffeId> claimedId() {
    return Optional.ofNullable(claimedId);
  }
}
