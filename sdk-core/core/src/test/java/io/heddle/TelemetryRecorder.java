// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionObservation;
import io.heddle.spi.MeshTelemetry;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Remembers what a mesh tells of its connections. */
final class TelemetryRecorder implements MeshTelemetry {

  private final BlockingQueue<Seen> ended = new LinkedBlockingQueue<>();

  @Override
  public ConnectionObservation opened(ConnectionLabels labels) {
    return new Seen(labels, ended);
  }

  /** Waits for the next connection that has ended. */
  Seen ended() throws InterruptedException {
    Seen seen = ended.poll(30, TimeUnit.SECONDS);
    assertThat(seen).as("an observed connection that ended").isNotNull();
    return seen;
  }

  List<Seen> endedSoFar() {
    return List.copyOf(ended);
  }

  /** One connection; complete when it has ended. */
  static final class Seen implements ConnectionObservation {

    private final ConnectionLabels labels;
    private final BlockingQueue<Seen> ended;
    private long fromInitiator;
    private long towardsInitiator;
    private String flags = "";

    private Seen(ConnectionLabels labels, BlockingQueue<Seen> ended) {
      this.labels = labels;
      this.ended = ended;
    }

    @Override
    public void fromInitiator(long bytes) {
      fromInitiator += bytes;
    }

    @Override
    public void towardsInitiator(long bytes) {
      towardsInitiator += bytes;
    }

    @Override
    public void closed(String responseFlags) {
      flags = responseFlags;
      ended.add(this);
    }

    ConnectionLabels labels() {
      return labels;
    }

    long fromInitiator() {
      return fromInitiator;
    }

    long towardsInitiator() {
      return towardsInitiator;
    }

    String flags() {
      return flags;
    }
  }
}
