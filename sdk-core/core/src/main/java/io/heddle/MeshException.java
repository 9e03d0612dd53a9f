// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import org.jspecify.annotations.Nullable;

/**
 * What the mesh refused or could not do. Every message says what was asked, what was decided, and
 * what to do; the subtype is the cause, for code that reacts to it.
 */
public abstract sealed class MeshException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String asked;
  private final String decided;
  private final String advice;

  private MeshException(String asked, String decided, String advice, @Nullable Throwable cause) {
    super(asked + ": " + decided + "; " + advice, cause);
    this.asked = asked;
    this.decided = decided;
    this.advice = advice;
  }

  /**
   * What was asked of the mesh.
   *
   * @return such as {@code connect to reviews.default:9080}
   */
  public String asked() {
    return asked;
  }

  /**
   * What the mesh, or the peer, decided.
   *
   * @return the reason, without advice
   */
  public String decided() {
    return decided;
  }

  /**
   * What to do about it.
   *
   * @return a sentence for the person who reads the log
   */
  public String advice() {
    return advice;
  }

  /** No way to the destination: no usable endpoint, waypoint, gateway, or a loop. */
  public static final class NoRoute extends MeshException {
    private static final long serialVersionUID = 1L;

    NoRoute(String asked, String decided, String advice) {
      super(asked, decided, advice, null);
    }
  }

  /** The destination's authorization policy denies this workload. Retrying does not help. */
  public static final class PolicyDenied extends MeshException {
    private static final long serialVersionUID = 1L;

    PolicyDenied(String asked, String decided, String advice, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
    }
  }

  /** This workload has no valid certificate, so it can prove nothing. */
  public static final class IdentityUnavailable extends MeshException {
    private static final long serialVersionUID = 1L;

    IdentityUnavailable(String asked, String decided, String advice, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
    }
  }

  /** Mutual TLS failed on identity: the peer is not who it should be, or does not trust us. */
  public static final class PeerUntrusted extends MeshException {
    private static final long serialVersionUID = 1L;

    PeerUntrusted(String asked, String decided, String advice, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
    }
  }

  /** The peer could not be reached, or not in time. */
  public static final class ConnectFailed extends MeshException {
    private static final long serialVersionUID = 1L;

    private final boolean timedOut;

    ConnectFailed(
        String asked, String decided, String advice, boolean timedOut, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
      this.timedOut = timedOut;
    }

    /**
     * Whether a deadline ran out.
     *
     * @return false where the failure was told
     */
    public boolean timedOut() {
      return timedOut;
    }
  }

  /** The peer answered the CONNECT with something else than 200 or 401. */
  public static final class PeerRefused extends MeshException {
    private static final long serialVersionUID = 1L;

    private final int status;

    PeerRefused(
        String asked, String decided, String advice, int status, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
      this.status = status;
    }

    /**
     * The HTTP status of the answer.
     *
     * @return 100 to 599
     */
    public int status() {
      return status;
    }
  }

  /** The mesh cannot start, or a port cannot be exposed, as configured. */
  public static final class InvalidConfiguration extends MeshException {
    private static final long serialVersionUID = 1L;

    InvalidConfiguration(String asked, String decided, String advice, @Nullable Throwable cause) {
      super(asked, decided, advice, cause);
    }
  }

  /** The mesh of this process is closed, or is draining. */
  public static final class Closed extends MeshException {
    private static final long serialVersionUID = 1L;

    Closed(String asked) {
      super(
          asked,
          "the mesh of this process is closed",
          "open connections before Mesh.close(), and stop callers first",
          null);
    }
  }
}
