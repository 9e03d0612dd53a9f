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
    Duration idleTimeout) {

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
          Duration.ofMinutes(5));

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
  public Builder toBuilder() {
    return new Builder(this);
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

  /** Changes some of the settings. */
  public static final class Builder {
    private int initialStreamWindowBytes;
    private int streamWindowBytes;
    private long receiveBudgetBytes;
    private int connectionWindowBytes;
    private int maxFrameBytes;
    private int maxHeaderListBytes;
    private int maxStreamsServed;
    private int maxStreamsPerConnection;
    private int maxConnectionsPerTarget;
    private int maxWaitingPerTarget;
    private Duration pingInterval;
    private Duration pingTimeout;
    private Duration connectTimeout;
    private Duration tlsTimeout;
    private Duration settingsTimeout;
    private Duration responseTimeout;
    private Duration connectionAttemptDelay;
    private Duration idleTimeout;

    private Builder(HboneSettings from) {
      initialStreamWindowBytes = from.initialStreamWindowBytes;
      streamWindowBytes = from.streamWindowBytes;
      receiveBudgetBytes = from.receiveBudgetBytes;
      connectionWindowBytes = from.connectionWindowBytes;
      maxFrameBytes = from.maxFrameBytes;
      maxHeaderListBytes = from.maxHeaderListBytes;
      maxStreamsServed = from.maxStreamsServed;
      maxStreamsPerConnection = from.maxStreamsPerConnection;
      maxConnectionsPerTarget = from.maxConnectionsPerTarget;
      maxWaitingPerTarget = from.maxWaitingPerTarget;
      pingInterval = from.pingInterval;
      pingTimeout = from.pingTimeout;
      connectTimeout = from.connectTimeout;
      tlsTimeout = from.tlsTimeout;
      settingsTimeout = from.settingsTimeout;
      responseTimeout = from.responseTimeout;
      connectionAttemptDelay = from.connectionAttemptDelay;
      idleTimeout = from.idleTimeout;
    }

    /**
     * Sets the flow-control window of a new tunnel. One that is larger than {@code
     * streamWindowBytes} is cut to that.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder initialStreamWindowBytes(int value) {
      this.initialStreamWindowBytes = value;
      return this;
    }

    /**
     * Sets what all tunnels of one client or server together may grow beyond their initial windows.
     *
     * @param value in bytes; 0 for an eighth of the direct memory that the JVM may use
     * @return this builder
     */
    public Builder receiveBudgetBytes(long value) {
      this.receiveBudgetBytes = value;
      return this;
    }

    /**
     * Sets the flow-control window that a tunnel grows to while its reader keeps up.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder streamWindowBytes(int value) {
      this.streamWindowBytes = value;
      return this;
    }

    /**
     * Sets the flow-control window of one connection.
     *
     * @param value at least 65535
     * @return this builder
     */
    public Builder connectionWindowBytes(int value) {
      this.connectionWindowBytes = value;
      return this;
    }

    /**
     * Sets the largest DATA frame accepted.
     *
     * @param value at least 16384
     * @return this builder
     */
    public Builder maxFrameBytes(int value) {
      this.maxFrameBytes = value;
      return this;
    }

    /**
     * Sets the largest list of headers accepted.
     *
     * @param value at least 8192
     * @return this builder
     */
    public Builder maxHeaderListBytes(int value) {
      this.maxHeaderListBytes = value;
      return this;
    }

    /**
     * Sets the tunnels that a server accepts on one connection.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder maxStreamsServed(int value) {
      this.maxStreamsServed = value;
      return this;
    }

    /**
     * Sets the tunnels that a client opens on one connection.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder maxStreamsPerConnection(int value) {
      this.maxStreamsPerConnection = value;
      return this;
    }

    /**
     * Sets the connections that a client opens to one target.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder maxConnectionsPerTarget(int value) {
      this.maxConnectionsPerTarget = value;
      return this;
    }

    /**
     * Sets the opens of a client that may wait for a connection to one target.
     *
     * @param value at least 1
     * @return this builder
     */
    public Builder maxWaitingPerTarget(int value) {
      this.maxWaitingPerTarget = value;
      return this;
    }

    /**
     * Sets the time between keepalive PINGs.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder pingInterval(Duration value) {
      this.pingInterval = value;
      return this;
    }

    /**
     * Sets the time that the answer to a PING may take.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder pingTimeout(Duration value) {
      this.pingTimeout = value;
      return this;
    }

    /**
     * Sets the time that TCP may take to connect.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder connectTimeout(Duration value) {
      this.connectTimeout = value;
      return this;
    }

    /**
     * Sets the time that the TLS handshake may take.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder tlsTimeout(Duration value) {
      this.tlsTimeout = value;
      return this;
    }

    /**
     * Sets the time that the peer's HTTP/2 SETTINGS may take after TLS.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder settingsTimeout(Duration value) {
      this.settingsTimeout = value;
      return this;
    }

    /**
     * Sets the time that the answer to a CONNECT may take.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder responseTimeout(Duration value) {
      this.responseTimeout = value;
      return this;
    }

    /**
     * Sets how much later the next of several endpoints is tried.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder connectionAttemptDelay(Duration value) {
      this.connectionAttemptDelay = value;
      return this;
    }

    /**
     * Sets the time that a client keeps a connection without a tunnel.
     *
     * @param value more than zero
     * @return this builder
     */
    public Builder idleTimeout(Duration value) {
      this.idleTimeout = value;
      return this;
    }

    /**
     * Makes the settings.
     *
     * @return the settings
     * @throws IllegalArgumentException when a number is out of its range
     */
    public HboneSettings build() {
      return new HboneSettings(
          initialStreamWindowBytes,
          streamWindowBytes,
          receiveBudgetBytes,
          connectionWindowBytes,
          maxFrameBytes,
          maxHeaderListBytes,
          maxStreamsServed,
          maxStreamsPerConnection,
          maxConnectionsPerTarget,
          maxWaitingPerTarget,
          pingInterval,
          pingTimeout,
          connectTimeout,
          tlsTimeout,
          settingsTimeout,
          responseTimeout,
          connectionAttemptDelay,
          idleTimeout);
    }
  }
}
