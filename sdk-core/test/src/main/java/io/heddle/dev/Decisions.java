// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionObservation;
import io.heddle.spi.MeshTelemetry;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Remembers what the meshes of one test decided, for whoever has to understand a failure. */
final class Decisions implements MeshTelemetry {

  private final Queue<Connection> connections = new ConcurrentLinkedQueue<>();

  @Override
  public ConnectionObservation opened(ConnectionLabels labels) {
    Connection connection = new Connection(labels);
    connections.add(connection);
    return connection;
  }

  /** One line for each connection, as each of its ends saw it. */
  List<String> lines() {
    return connections.stream().map(Connection::toString).toList();
  }

  private static final class Connection implements ConnectionObservation {
    private final ConnectionLabels labels;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private volatile String end = "open";

    Connection(ConnectionLabels labels) {
      this.labels = labels;
    }

    @Override
    public void fromInitiator(long bytes) {
      sent.addAndGet(bytes);
    }

    @Override
    public void towardsInitiator(long bytes) {
      received.addAndGet(bytes);
    }

    @Override
    public void closed(String responseFlags) {
      end = responseFlags.equals("-") ? "ended" : "ended with " + responseFlags;
    }

    @Override
    public String toString() {
      return switch (labels.reporter()) {
            case SOURCE -> "client end: ";
            case DESTINATION -> "server end: ";
          }
          + party(labels.source())
          + " -> "
          + party(labels.destination())
          + (labels.service().isEmpty() ? "" : " for " + labels.service())
          + (labels.mutualTls() ? ", mutual TLS, " : ", plain text, ")
          + end
          + ", "
          + sent
          + " bytes sent, "
          + received
          + " received";
    }

    private static String party(ConnectionLabels.Party party) {
      if (party.workload().isEmpty()) {
        return party.principal().isEmpty() ? "unknown" : party.principal();
      }
      return party.namespace() + "/" + party.workload();
    }
  }
}
