// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.time.Duration;

/**
 * The numbers of HBONE. The defaults are what Istio's node proxy uses, where it has them. A
 * connection window several times the stream window keeps one tunnel that nobody reads from taking
 * the credit of all others.
 *
 * @param initialStreamWindowBytes flow-control window of a new tunnel; see {@code
 *     streamWindowBytes}
 * @param streamWindowBytes flow-control window that a tunnel grows to while its reader keeps up:
 *     the most that waits when he stops
 * @param receiveBudgetBytes what all tunnels of one client or server together may grow beyond their
 *     initial windows; 0 for an eighth of the direct memory that the JVM may use
 * @param connectionWindowBytes flow-control window of one connection
 * @param maxFrameBytes largest DATA frame accepted
 * @param maxHeaderListBytes largest list of headers accepted
 * @param maxStreamsServed tunnels that a server accepts on one connection
 * @param maxStreamsPerConnection tunnels that a client opens on one connection
 * @param maxConnectionsPerTarget connections that a client opens to one target
 * @param maxWaitingPerTarget opens of a client that may wait for a connection to one target
 * @param pingInterval time between keepalive PINGs
 * @param pingTimeout time that the answer to a PING may take
 * @param connectTimeout time that TCP may take to connect
 * @param tlsTimeout time that the TLS handshake may take
 * @param settingsTimeout time that the peer's HTTP/2 SETTINGS may take after TLS
 * @param responseTimeout time that the answer to a CONNECT may take; the peer may use 10 s of it to
 *     reach its application
 * @param connectionAttemptDelay how much later the next of several endpoints is tried while the
 *     ones before have not answered
 * @param idleTimeout time that a client keeps a connection without a tunnel
 * @param maxConnectionAge time after which a connection takes no more tunnels, or a little less, so
 *     that not all end together; zero for as long as its certificates allow
 * @param expiredTunnels what happens to open tunnels when a certificate of their connection ends
 */
public record HboneSettings(
    int initialStreamWindowBytes,
    int streamWindowBytes,
    long receiveBudgetBytes,
    int connectionWindowBytes,
    int maxFrameBytes,
    int maxHeaderListBytes,
    int maxStreamsServed,
    int maxStreamsPerConnection,
    int maxConnectionsPerTarget,
    int maxWaitingPerTarget,
    Duration pingInterval,
    Duration pingTimeout,
    Duration connectTimeout,
    Duration tlsTimeout,
    Duration settingsTimeout,
    Duration responseTimeout,
    Duration connectionAttemptDelay,
    Duration idleTimeout,
    Duration maxConnectionAge,
    ExpiredTunnels expiredTunnels) {

  private static final HboneSettings DEFAULTS =
      new HboneSettings(
          64 << 10,
          4 << 20,
          0,
          16 << 20,
          1 << 20,
          64 << 10,
          200,
          100,
          100,
          10_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofMillis(250),
          Duration.ofMinutes(5),
          Duration.ZERO,
          ExpiredTunnels.TELL);

  /**
   * Checks every number.
   *
   * @param initialStreamWindowBytes flow-control window of a new tunnel; see {@code
   *     streamWindowBytes}
   * @param streamWindowBytes flow-control window that a tunnel grows to while its reader keeps up:
   *     the most that waits when he stops
   * @param receiveBudgetBytes what all tunnels of one client or server together may grow beyond
   *     their initial windows; 0 for an eighth of the direct memory that the JVM may use
   * @param connectionWindowBytes flow-control window of one connection
   * @param maxFrameBytes largest DATA frame accepted
   * @param maxHeaderListBytes largest list of headers accepted
   * @param maxStreamsServed tunnels that a server accepts on one connection
   * @param maxStreamsPerConnection tunnels that a client opens on one connection
   * @param maxConnectionsPerTarget connections that a client opens to one target
   * @param maxWaitingPerTarget opens of a client that may wait for a connection to one target
   * @param pingInterval time between keepalive PINGs
   * @param pingTimeout time that the answer to a PING may take
   * @param connectTimeout time that TCP may take to connect
   * @param tlsTimeout time that the TLS handshake may take
   * @param settingsTimeout time that the peer's HTTP/2 SETTINGS may take after TLS
   * @param responseTimeout time that the answer to a CONNECT may take; the peer may use 10 s of it
   *     to reach its application
   * @param connectionAttemptDelay how much later the next of several endpoints is tried while the
   *     ones before have not answered
   * @param idleTimeout time that a client keeps a connection without a tunnel
   * @param maxConnectionAge time after which a connection takes no more tunnels, or a little less,
   *     so that not all end together; zero for as long as its certificates allow
   * @param expiredTunnels what happens to open tunnels when a certificate of their connection ends
   */
  public HboneSettings {
    checkRange("initialStreamWindowBytes", initialStreamWindowBytes, 1, Integer.MAX_VALUE);
    checkRange("receiveBudgetBytes", receiveBudgetBytes, 0, Long.MAX_VALUE);
    checkRange("streamWindowBytes", streamWindowBytes, 1, Integer.MAX_VALUE);
    initialStreamWindowBytes = Math.min(initialStreamWindowBytes, streamWindowBytes);
    checkRange("connectionWindowBytes", connectionWindowBytes, 65535, Integer.MAX_VALUE);
    checkRange("maxFrameBytes", maxFrameBytes, 16384, 16777215);
    checkRange("maxHeaderListBytes", maxHeaderListBytes, 8192, 16777215);
    checkRange("maxStreamsServed", maxStreamsServed, 1, Integer.MAX_VALUE);
    checkRange("maxStreamsPerConnection", maxStreamsPerConnection, 1, Integer.MAX_VALUE);
    checkRange("maxConnectionsPerTarget", maxConnectionsPerTarget, 1, Integer.MAX_VALUE);
    checkRange("maxWaitingPerTarget", maxWaitingPerTarget, 1, Integer.MAX_VALUE);
    checkPositive("pingInterval", pingInterval);
    checkPositive("pingTimeout", pingTimeout);
    checkPositive("connectTimeout", connectTimeout);
    checkPositive("tlsTimeout", tlsTimeout);
    checkPositive("settingsTimeout", settingsTimeout);
    checkPositive("responseTimeout", responseTimeout);
    checkPositive("connectionAttemptDelay", connectionAttemptDelay);
    checkPositive("idleTimeout", idleTimeout);
    if (maxConnectionAge.isNegative()) {
      throw new IllegalArgumentException(
          "maxConnectionAge: " + maxConnectionAge + " (expected: zero or more)");
    }
  }

  /**
   * The defaults.
   *
   * @return the numbers that suit most
   */
  public static HboneSettings defaults() {
    return DEFAULTS;
  }

  /**
   * A builder that starts with these settings.
   *
   * @return a new builder
   */
  public HboneSettingsBuilder toBuilder() {
    return new HboneSettingsBuilder(this);
  }

  private static void checkRange(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + least + " to " + most + ")");
    }
  }

  private static void checkPositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
    }
  }
}
