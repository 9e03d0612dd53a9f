// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.opentelemetry;

import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.spi.ConnectionLabels.Reporter;
import io.heddle.spi.ConnectionObservation;
import io.heddle.spi.MeshTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Counts connections and bytes under the names and labels that Istio's dashboards read: {@code
 * istio_tcp_connections_opened_total}, {@code istio_tcp_connections_closed_total}, {@code
 * istio_tcp_received_bytes_total} and {@code istio_tcp_sent_bytes_total}. Received bytes are those
 * of the connection's initiator, whichever end reports.
 *
 * <p>{@code istio_on_demand_dns_total} counts each use of a workload's host name.
 *
 * <p>Counters are read when the SDK collects, so a connection costs two additions per batch of
 * bytes. At most {@value #MAX_SERIES} label sets are kept apart; what comes after is counted under
 * the reporter {@code overflow}. Thread-safe.
 */
public final class IstioTcpMetrics implements MeshTelemetry, AutoCloseable {

  private static final int MAX_SERIES = 1_000;
  private static final String UNKNOWN = "unknown";

  private final Map<ConnectionLabels, Series> series = new ConcurrentHashMap<>();
  private final Series overflow = new Series(overflowAttributes());
  private final List<ObservableLongCounter> counters;
  private final OnDemandDnsCounter onDemandDns;

  private IstioTcpMetrics(OpenTelemetry openTelemetry) {
    Meter meter = openTelemetry.meterBuilder("io.heddle.core").build();
    onDemandDns = new OnDemandDnsCounter(meter);
    counters =
        List.of(
            counter(
                meter,
                "istio_tcp_connections_opened_total",
                "Connections opened",
                "{connection}",
                IstioTcpMetrics::recordOpened),
            counter(
                meter,
                "istio_tcp_connections_closed_total",
                "Connections closed",
                "{connection}",
                IstioTcpMetrics::recordClosed),
            counter(
                meter,
                "istio_tcp_received_bytes_total",
                "Bytes from the initiator",
                "By",
                (series, out) -> out.record(series.fromInitiator.sum(), series.open)),
            counter(
                meter,
                "istio_tcp_sent_bytes_total",
                "Bytes towards the initiator",
                "By",
                (series, out) -> out.record(series.towardsInitiator.sum(), series.open)));
  }

  /**
   * Registers the counters with a meter of scope {@code io.heddle.core}.
   *
   * @param openTelemetry whose meter collects them
   * @return the listener to give to the mesh
   */
  public static IstioTcpMetrics of(OpenTelemetry openTelemetry) {
    return new IstioTcpMetrics(openTelemetry);
  }

  @Override
  public ConnectionObservation opened(ConnectionLabels labels) {
    Series of = seriesOf(labels);
    of.opened.increment();
    return of;
  }

  @Override
  public void onDemandDns(Party source, String hostname) {
    onDemandDns.count(source, hostname);
  }

  /** Takes the counters out of the meter again. */
  @Override
  public void close() {
    onDemandDns.close();
    counters.forEach(ObservableLongCounter::close);
  }

  private Series seriesOf(ConnectionLabels labels) {
    Series known = series.get(labels);
    if (known != null) {
      return known;
    }
    if (series.size() >= MAX_SERIES) {
      return overflow;
    }
    return series.computeIfAbsent(labels, key -> new Series(attributes(key)));
  }

  private ObservableLongCounter counter(
      Meter meter, String name, String description, String unit, Recorder recorder) {
    return meter
        .counterBuilder(name)
        .setDescription(description)
        .setUnit(unit)
        .buildWithCallback(
            out -> {
              series.values().forEach(of -> recorder.record(of, out));
              if (overflow.opened.sum() > 0) {
                recorder.record(overflow, out);
              }
            });
  }

  private static void recordOpened(Series series, ObservableLongMeasurement out) {
    out.record(series.opened.sum(), series.open);
  }

  private static void recordClosed(Series series, ObservableLongMeasurement out) {
    series.closed.forEach((flags, closed) -> out.record(closed.count.sum(), closed.attributes));
  }

  private static Attributes attributes(ConnectionLabels labels) {
    AttributesBuilder to = Attributes.builder();
    to.put("reporter", labels.reporter() == Reporter.SOURCE ? "source" : "destination");
    localized(to, "source", labels.source());
    to.put("destination_service", known(labels.service()));
    to.put("destination_service_namespace", known(labels.serviceNamespace()));
    to.put("destination_service_name", known(labels.serviceName()));
    localized(to, "destination", labels.destination());
    to.put("request_protocol", "tcp");
    to.put("connection_security_policy", labels.mutualTls() ? "mutual_tls" : UNKNOWN);
    return to.build();
  }

  private static void localized(AttributesBuilder to, String end, Party party) {
    party(to, end, party);
    // HBONE reference 7.1: the locality labels exist only where a workload is known.
    if (!party.workload().isEmpty()) {
      to.put(end + "_region", known(party.region()));
      to.put(end + "_zone", known(party.zone()));
    }
  }

  /** The eight labels of one end that every metric has. */
  static void party(AttributesBuilder to, String end, Party party) {
    to.put(end + "_workload", known(party.workload()));
    to.put(end + "_workload_namespace", known(party.namespace()));
    to.put(end + "_principal", known(party.principal()));
    to.put(end + "_canonical_service", known(party.canonicalService()));
    to.put(end + "_canonical_revision", known(party.canonicalRevision()));
    to.put(end + "_app", known(party.canonicalService()));
    to.put(end + "_version", known(party.canonicalRevision()));
    to.put(end + "_cluster", known(party.cluster()));
  }

  private static Attributes overflowAttributes() {
    return Attributes.builder().put("reporter", "overflow").build();
  }

  private static String known(String value) {
    return value.isEmpty() ? UNKNOWN : value;
  }

  /** Writes one series into one counter. */
  @FunctionalInterface
  private interface Recorder {
    void record(Series series, ObservableLongMeasurement out);
  }

  /** Everything counted under one set of labels; shared by all its connections. */
  private static final class Series implements ConnectionObservation {
    // response_flags is a label of every one of the four; while a connection lives it is "-".
    private final Attributes open;
    private final LongAdder opened = new LongAdder();
    private final LongAdder fromInitiator = new LongAdder();
    private final LongAdder towardsInitiator = new LongAdder();
    private final Map<String, Closed> closed = new ConcurrentHashMap<>();
    private final Function<String, Closed> newClosed;

    Series(Attributes labels) {
      open = withFlags(labels, "-");
      newClosed = flags -> new Closed(withFlags(labels, flags), new LongAdder());
    }

    private static Attributes withFlags(Attributes labels, String flags) {
      return labels.toBuilder().put("response_flags", flags).build();
    }

    @Override
    public void fromInitiator(long bytes) {
      fromInitiator.add(bytes);
    }

    @Override
    public void towardsInitiator(long bytes) {
      towardsInitiator.add(bytes);
    }

    @Override
    public void closed(String responseFlags) {
      closed.computeIfAbsent(responseFlags, newClosed).count.increment();
    }
  }

  private record Closed(Attributes attributes, LongAdder count) {}
}
