// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a tunnel could not be opened, or ended before its time. The message says what was asked, what
 * happened and what to check; {@link #outcome()} is the same for metrics and logs.
 */
public abstract sealed class TunnelException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String outcome;
  private final boolean retryable;

  private TunnelException(
      String outcome, boolean retryable, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.outcome = outcome;
    this.retryable = retryable;
  }

  /**
   * One word for the kind of failure.
   *
   * @return lower case with underscores
   */
  public String outcome() {
    return outcome;
  }

  /**
   * Whether the peer's application has surely seen nothing of the tunnel, so that opening it again
   * (on another connection, or to another endpoint) cannot do anything twice.
   *
   * @return true when a retry is safe
   */
  public boolean retryable() {
    return retryable;
  }

  /** How far a connection got. */
  public enum Phase {
    /** Reaching the peer. */
    TCP,
    /** The mutual TLS handshake. */
    TLS,
    /** Waiting for the peer's HTTP/2 SETTINGS. */
    SETTINGS,
    /** Waiting for the answer to CONNECT. */
    CONNECT_RESPONSE
  }

  /** The connection to the peer could not be made, or the peer did not answer in time. */
  public static final class ConnectFailed extends TunnelException {
    private static final long serialVersionUID = 1L;

    private final Phase phase;

    /**
     * Makes the exception.
     *
     * @param phase how far it got
     * @param message what was tried and what to check
     * @param cause the failure below, or null when time ran out
     */
    public ConnectFailed(Phase phase, String message, @Nullable Throwable cause) {
      super("connect_failed", phase != Phase.CONNECT_RESPONSE, message, cause);
      this.phase = phase;
    }

    /**
     * How far it got.
     *
     * @return the phase that failed
     */
    public Phase phase() {
      return phase;
    }
  }

  /** The peer is not who it should be, or does not accept who we are. Nothing was sent to it. */
  public static final class PeerRejected extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message which peer and which identities were expected
     * @param cause the reason of the TLS handshake
     */
    public PeerRejected(String message, Throwable cause) {
      super("peer_rejected", false, message, cause);
    }
  }

  /** The peer answered the CONNECT with something other than 200. */
  public static final class Refused extends TunnelException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Makes the exception.
     *
     * @param status the HTTP status
     * @param message who refused what
     */
    public Refused(int status, String message) {
      super(Kind.of(status).outcome, false, message, null);
      this.status = status;
    }

    /**
     * The HTTP status.
     *
     * @return the status
     */
    public int status() {
      return status;
    }

    /**
     * What the status means in HBONE.
     *
     * @return the kind
     */
    public Kind kind() {
      return Kind.of(status);
    }

    /** What the status of a refusal means. */
    public enum Kind {
      /** 401 or 403: an authorization policy denies the tunnel. */
      DENIED("denied"),
      /** 400 or 404: the peer does not serve this authority. */
      BAD_REQUEST("bad_request"),
      /** 502, 503 or 504: the peer could not reach its application; another endpoint may. */
      UNAVAILABLE("unavailable"),
      /** Any other status. */
      OTHER("refused");

      private final String outcome;

      Kind(String outcome) {
        this.outcome = outcome;
      }

      /**
       * The meaning of a status.
       *
       * @param status the HTTP status
       * @return the kind
       */
      public static Kind of(int status) {
        return switch (status) {
          case 401, 403 -> DENIED;
          case 400, 404 -> BAD_REQUEST;
          case 502, 503, 504 -> UNAVAILABLE;
          default -> OTHER;
        };
      }
    }
  }

  /** The peer has surely not processed the CONNECT; it may be sent again on another connection. */
  public static final class NotProcessed extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message why it is sure
     * @param cause the failure below, or null
     */
    public NotProcessed(String message, @Nullable Throwable cause) {
      super("not_processed", true, message, cause);
    }
  }

  /** One side cut the tunnel: what was received may not be all. */
  public static final class Reset extends TunnelException {
    private static final long serialVersionUID = 1L;

    private final long code;

    /**
     * Makes the exception.
     *
     * @param code the HTTP/2 error code
     * @param message who cut what
     */
    public Reset(long code, String message) {
      super("reset", false, message, null);
      this.code = code;
    }

    /**
     * The error code of RST_STREAM (RFC 9113 section 7).
     *
     * @return the code
     */
    public long code() {
      return code;
    }
  }

  /** The connection below the tunnel ended while the tunnel was open. */
  public static final class ConnectionLost extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message which connection and why, as far as known
     * @param cause the failure below, or null
     */
    public ConnectionLost(String message, @Nullable Throwable cause) {
      super("connection_lost", false, message, cause);
    }
  }

  /** The tunnel was cut because a certificate of its connection ended. */
  public static final class IdentityExpired extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message whose certificate ended, and when
     */
    public IdentityExpired(String message) {
      super("identity_expired", false, message, null);
    }
  }

  /** This end is closed, or closing. */
  public static final class Closed extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what is closed
     */
    public Closed(String message) {
      super("closed", false, message, null);
    }
  }

  /** A limit of this end is reached: too many opens wait, or too many connections exist. */
  public static final class Overloaded extends TunnelException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message which limit
     */
    public Overloaded(String message) {
      super("overloaded", false, message, null);
    }
  }

  /**
   * A tunnel through the gateway of another network could not be opened. The {@linkplain #failure()
   * failure} is that of one of its two layers.
   */
  public static final class Nested extends TunnelException {
    private static final long serialVersionUID = 1L;

    /** Which of the two tunnels failed. */
    public enum Layer {
      /** The tunnel to the gateway. */
      OUTER("to the network gateway"),
      /** What is inside it: TLS with the destination, or the destination's answer. */
      INNER("behind the network gateway");

      private final String place;

      Layer(String place) {
        this.place = place;
      }
    }

    private final Layer layer;
    private final TunnelException failure;

    /**
     * Makes the exception.
     *
     * @param layer which of the two tunnels failed
     * @param authority what the tunnel was to lead to
     * @param gateway the gateway's address
     * @param failure why
     */
    public Nested(
        Layer layer, Authority authority, InetSocketAddress gateway, TunnelException failure) {
      super(
          layer.name().toLowerCase(Locale.ROOT) + "_" + failure.outcome(),
          failure.retryable(),
          "no tunnel to %s: %s %s: %s"
              .formatted(authority, layer.place, gateway, failure.getMessage()),
          failure);
      this.layer = layer;
      this.failure = failure;
    }

    /**
     * Which of the two tunnels failed.
     *
     * @return the layer
     */
    public Layer layer() {
      return layer;
    }

    /**
     * Why it failed.
     *
     * @return the failure of the one tunnel
     */
    public TunnelException failure() {
      return failure;
    }
  }

  /** None of several endpoints could be reached. No CONNECT was processed by any. */
  public static final class AllFailed extends TunnelException {
    private static final long serialVersionUID = 1L;

    private final ArrayList<Attempt> attempts;

    /**
     * Makes the exception.
     *
     * @param attempts what became of each endpoint, in the order in which they failed; not empty
     */
    public AllFailed(List<Attempt> attempts) {
      super("all_endpoints_failed", isRetryable(attempts), describe(attempts), cause(attempts));
      this.attempts = new ArrayList<>(attempts);
    }

    /**
     * What became of each endpoint. The cause of this exception is the first of their causes.
     *
     * @return the attempts in the order in which they failed
     */
    public List<Attempt> attempts() {
      return List.copyOf(attempts);
    }

    private static boolean isRetryable(List<Attempt> attempts) {
      return attempts.stream()
          .anyMatch(a -> a.cause() instanceof TunnelException e && e.retryable());
    }

    private static String describe(List<Attempt> attempts) {
      return attempts.stream()
          .map(a -> a.address() + ": " + a.cause().getMessage())
          .collect(
              Collectors.joining(
                  "; ", "none of " + attempts.size() + " endpoints could be reached: ", ""));
    }

    private static Throwable cause(List<Attempt> attempts) {
      return attempts.get(0).cause();
    }

    /**
     * One endpoint that was tried.
     *
     * @param address its HBONE port
     * @param cause why it could not be reached
     */
    public record Attempt(InetSocketAddress address, Throwable cause) implements Serializable {}
  }
}
