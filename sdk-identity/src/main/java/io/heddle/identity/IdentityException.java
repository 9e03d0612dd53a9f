// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something is wrong with our own identity: there is none yet, it has expired, or what should
 * become one cannot be used. What is wrong with a <em>peer's</em> identity is a {@link
 * PeerRejectedException}.
 */
public abstract sealed class IdentityException extends RuntimeException
    permits IdentityException.Unavailable,
        IdentityException.Expired,
        IdentityException.InvalidSvid,
        IdentityException.InvalidBundle,
        IdentityException.SourceFailed,
        IdentityException.Refused,
        IdentityException.TokenUnusable,
        IdentityException.NotIssued {

  private static final long serialVersionUID = 1L;

  private IdentityException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** No identity is there: the source has not delivered one yet, or it is closed. */
  public static final class Unavailable extends IdentityException {

    private static final long serialVersionUID = 1L;

    /**
     * No identity.
     *
     * @param message what was waited for, and what to look at
     * @param cause the last failure of the source, if it had one
     */
    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Our own certificate has expired and no newer one has arrived. */
  public static final class Expired extends IdentityException {

    private static final long serialVersionUID = 1L;

    /** When it ended. */
    private final Instant notAfter;

    /**
     * An expired identity.
     *
     * @param id whose certificate it is
     * @param notAfter when it ended
     */
    public Expired(SpiffeId id, Instant notAfter) {
      super(
          "own certificate of "
              + id
              + " expired at "
              + notAfter
              + " and was not renewed; look at the health of its source",
          null);
      this.notAfter = notAfter;
    }

    /**
     * When the certificate ended.
     *
     * @return the end of its validity
     */
    public Instant notAfter() {
      return notAfter;
    }
  }

  /** A certificate chain and key that cannot serve as an X.509 SVID. */
  public static final class InvalidSvid extends IdentityException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final Reason reason;

    /** The rule by which peers would refuse the leaf. */
    private final @Nullable PeerRejection leafRule;

    /** What is wrong with the pair of chain and key. */
    public enum Reason {
      /** There is no certificate, or there are more than peers accept. */
      CHAIN_SIZE,
      /** Text or bytes that hold no readable certificate or key. */
      UNREADABLE,
      /** The leaf breaks a rule for which every peer would refuse it. */
      LEAF_RULE,
      /** The private key does not belong to the leaf. */
      KEY_MISMATCH
    }

    /**
     * An unusable chain or key.
     *
     * @param reason what is wrong
     * @param message what was found and what was expected
     * @param cause what the parser said, if anything
     */
    public InvalidSvid(Reason reason, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.reason = reason;
      this.leafRule = cause instanceof PeerRejectedException rule ? rule.reason() : null;
    }

    /**
     * What is wrong.
     *
     * @return the reason
     */
    public Reason reason() {
      return reason;
    }

    /**
     * The rule that the leaf breaks.
     *
     * @return the code by which peers would refuse it; empty unless the reason is {@link
     *     Reason#LEAF_RULE}
     */
    public Optional<PeerRejection> leafRule() {
      return Optional.ofNullable(leafRule);
    }
  }

  /** Trust anchors that cannot be used. */
  public static final class InvalidBundle extends IdentityException {

    private static final long serialVersionUID = 1L;

    /**
     * An unusable bundle.
     *
     * @param message which trust domain, what was found and what was expected
     * @param cause what the parser said, if anything
     */
    public InvalidBundle(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The place that identities come from failed in a way that waiting does not mend. */
  public static final class SourceFailed extends IdentityException {

    private static final long serialVersionUID = 1L;

    /**
     * A failed source.
     *
     * @param message which source, what it was asked, what to do
     * @param cause the failure underneath, if there was one
     */
    public SourceFailed(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** A source that must not be used here, such as a development authority inside a cluster. */
  public static final class Refused extends IdentityException {

    private static final long serialVersionUID = 1L;

    /**
     * A refused source.
     *
     * @param message what was asked, why it is refused here, and how to proceed
     */
    public Refused(String message) {
      super(message, null);
    }
  }

  /** The token that would say to an issuer who asks cannot be sent. */
  public static final class TokenUnusable extends IdentityException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final Fault fault;

    /** What is wrong with the token. */
    public enum Fault {
      /** There is no such file, or it cannot be read. */
      MISSING,
      /** The file holds nothing. */
      EMPTY,
      /** It holds something that cannot be a header value, or far more than a token. */
      MALFORMED,
      /** The time that the token names is over. */
      EXPIRED
    }

    /**
     * An unusable token.
     *
     * @param fault what is wrong
     * @param message which file, what was found, what was expected; never the token
     * @param cause the failure to read it, if there was one
     */
    public TokenUnusable(Fault fault, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.fault = fault;
    }

    /**
     * What is wrong.
     *
     * @return the fault
     */
    public Fault fault() {
      return fault;
    }
  }

  /** An issuer was asked for a certificate, and what came back is none that we can use. */
  public static final class NotIssued extends IdentityException {

    private static final long serialVersionUID = 1L;

    /** Why not. */
    private final Problem problem;

    /** Why there is no certificate. */
    public enum Problem {
      /** The issuer could not be reached, or was not able to answer. */
      UNAVAILABLE,
      /** The issuer does not know who asks: the token or the cluster is not to its liking. */
      UNAUTHENTICATED,
      /** The issuer will not sign such a request; asking again soon does not help. */
      REQUEST_REFUSED,
      /** The answer holds no certificate, or no root. */
      EMPTY_ANSWER,
      /** The answer holds something that cannot be read as certificates. */
      UNREADABLE,
      /** The certificate is for somebody else. */
      OTHER_IDENTITY,
      /** The certificate is for another key than the one in the request. */
      OTHER_KEY,
      /** No path leads from the certificate to the roots of the same answer, or not now. */
      UNTRUSTED
    }

    /**
     * No certificate.
     *
     * @param problem why not
     * @param message which issuer, what was asked, what came back, what to do
     * @param cause the failure underneath, if there was one
     */
    public NotIssued(Problem problem, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.problem = problem;
    }

    /**
     * Why there is no certificate.
     *
     * @return the problem
     */
    public Problem problem() {
      return problem;
    }
  }
}
