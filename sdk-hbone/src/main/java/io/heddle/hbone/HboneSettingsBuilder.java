// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.time.Duration;

/** Makes {@link HboneSettings}, from others of which it changes some. */
public final class HboneSettingsBuilder {
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
  private Duration maxConnectionAge;
  private ExpiredTunnels expiredTunnels;

  HboneSettingsBuilder(HboneSettings from) {
    initialStreamWindowBytes = from.initialStreamWindowBytes();
    streamWindowBytes = from.streamWindowBytes();
    receiveBudgetBytes = from.receiveBudgetBytes();
    connectionWindowBytes = from.connectionWindowBytes();
    maxFrameBytes = from.maxFrameBytes();
    maxHeaderListBytes = from.maxHeaderListBytes();
    maxStreamsServed = from.maxStreamsServed();
    maxStreamsPerConnection = from.maxStreamsPerConnection();
    maxConnectionsPerTarget = from.maxConnectionsPerTarget();
    maxWaitingPerTarget = from.maxWaitingPerTarget();
    pingInterval = from.pingInterval();
    pingTimeout = from.pingTimeout();
    connectTimeout = from.connectTimeout();
    tlsTimeout = from.tlsTimeout();
    settingsTimeout = from.settingsTimeout();
    responseTimeout = from.responseTimeout();
    connectionAttemptDelay = from.connectionAttemptDelay();
    idleTimeout = from.idleTimeout();
    maxConnectionAge = from.maxConnectionAge();
    expiredTunnels = from.expiredTunnels();
  }

  /**
   * Sets the flow-control window of a new tunnel. One that is larger than {@code streamWindowBytes}
   * is cut to that.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder initialStreamWindowBytes(int value) {
    this.initialStreamWindowBytes = value;
    return this;
  }

  /**
   * Sets what all tunnels of one client or server together may grow beyond their initial windows.
   *
   * @param value in bytes; 0 for an eighth of the direct memory that the JVM may use
   * @return this builder
   */
  public HboneSettingsBuilder receiveBudgetBytes(long value) {
    this.receiveBudgetBytes = value;
    return this;
  }

  /**
   * Sets the flow-control window that a tunnel grows to while its reader keeps up.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder streamWindowBytes(int value) {
    this.streamWindowBytes = value;
    return this;
  }

  /**
   * Sets the flow-control window of one connection.
   *
   * @param value at least 65535
   * @return this builder
   */
  public HboneSettingsBuilder connectionWindowBytes(int value) {
    this.connectionWindowBytes = value;
    return this;
  }

  /**
   * Sets the largest DATA frame accepted.
   *
   * @param value at least 16384
   * @return this builder
   */
  public HboneSettingsBuilder maxFrameBytes(int value) {
    this.maxFrameBytes = value;
    return this;
  }

  /**
   * Sets the largest list of headers accepted.
   *
   * @param value at least 8192
   * @return this builder
   */
  public HboneSettingsBuilder maxHeaderListBytes(int value) {
    this.maxHeaderListBytes = value;
    return this;
  }

  /**
   * Sets the tunnels that a server accepts on one connection.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder maxStreamsServed(int value) {
    this.maxStreamsServed = value;
    return this;
  }

  /**
   * Sets the tunnels that a client opens on one connection.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder maxStreamsPerConnection(int value) {
    this.maxStreamsPerConnection = value;
    return this;
  }

  /**
   * Sets the connections that a client opens to one target.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder maxConnectionsPerTarget(int value) {
    this.maxConnectionsPerTarget = value;
    return this;
  }

  /**
   * Sets the opens of a client that may wait for a connection to one target.
   *
   * @param value at least 1
   * @return this builder
   */
  public HboneSettingsBuilder maxWaitingPerTarget(int value) {
    this.maxWaitingPerTarget = value;
    return this;
  }

  /**
   * Sets the time between keepalive PINGs.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder pingInterval(Duration value) {
    this.pingInterval = value;
    return this;
  }

  /**
   * Sets the time that the answer to a PING may take.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder pingTimeout(Duration value) {
    this.pingTimeout = value;
    return this;
  }

  /**
   * Sets the time that TCP may take to connect.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder connectTimeout(Duration value) {
    this.connectTimeout = value;
    return this;
  }

  /**
   * Sets the time that the TLS handshake may take.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder tlsTimeout(Duration value) {
    this.tlsTimeout = value;
    return this;
  }

  /**
   * Sets the time that the peer's HTTP/2 SETTINGS may take after TLS.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder settingsTimeout(Duration value) {
    this.settingsTimeout = value;
    return this;
  }

  /**
   * Sets the time that the answer to a CONNECT may take.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder responseTimeout(Duration value) {
    this.responseTimeout = value;
    return this;
  }

  /**
   * Sets how much later the next of several endpoints is tried.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder connectionAttemptDelay(Duration value) {
    this.connectionAttemptDelay = value;
    return this;
  }

  /**
   * Sets the time that a client keeps a connection without a tunnel.
   *
   * @param value more than zero
   * @return this builder
   */
  public HboneSettingsBuilder idleTimeout(Duration value) {
    this.idleTimeout = value;
    return this;
  }

  /**
   * Sets the time after which a connection takes no more tunnels.
   *
   * @param value zero for as long as its certificates allow
   * @return this builder
   */
  public HboneSettingsBuilder maxConnectionAge(Duration value) {
    this.maxConnectionAge = value;
    return this;
  }

  /**
   * Sets what happens to open tunnels when a certificate of their connection ends.
   *
   * @param value to tell them unless set
   * @return this builder
   */
  public HboneSettingsBuilder expiredTunnels(ExpiredTunnels value) {
    this.expiredTunnels = value;
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
        idleTimeout,
        maxConnectionAge,
        expiredTunnels);
  }
}
