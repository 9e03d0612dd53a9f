// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.spi.ConnectionLabels.Reporter;
import io.heddle.spi.ConnectionObservation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IstioTcpMetricsTest {

  /** Those of reference 7.1 for a source that is known and a destination that is not. */
  private static final List<String> REFERENCE_LABELS =
      List.of(
          "reporter",
          "source_workload",
          "source_canonical_service",
          "source_canonical_revision",
          "source_workload_namespace",
          "source_principal",
          "source_app",
          "source_version",
          "source_cluster",
          "destination_service",
          "destination_service_namespace",
          "destination_service_name",
          "destination_workload",
          "destination_canonical_service",
          "destination_canonical_revision",
          "destination_workload_namespace",
          "destination_principal",
          "destination_app",
          "destination_version",
          "destination_cluster",
          "request_protocol",
          "response_flags",
          "connection_security_policy",
          "source_region",
          "source_zone");

  private static final ConnectionLabels LABELS = labels("web");

  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final SdkMeterProvider meters =
      SdkMeterProvider.builder().registerMetricReader(reader).build();
  private final IstioTcpMetrics metrics =
      IstioTcpMetrics.of(OpenTelemetrySdk.builder().setMeterProvider(meters).build());

  private static ConnectionLabels labels(String workload) {
    return new ConnectionLabels(
        Reporter.DESTINATION,
        new Party(workload, "shop", "spiffe://t/ns/shop/sa/web", "web", "v1", "c1", "eu", "eu-a"),
        Party.UNKNOWN,
        "api.pay.svc.cluster.local",
        "pay",
        "api",
        true);
  }

  @AfterEach
  void close() {
    metrics.close();
    meters.close();
  }

  @Test
  @DisplayName("APP-06 a connection is opened 1, closed 0, and closed 1 after its end")
  void openedAndClosed() {
    ConnectionObservation connection = metrics.opened(LABELS);
    assertThat(value("istio_tcp_connections_opened_total")).isEqualTo(1);
    assertThat(points("istio_tcp_connections_closed_total")).isEmpty();

    connection.closed("-");
    assertThat(value("istio_tcp_connections_closed_total")).isEqualTo(1);
  }

  @Test
  @DisplayName("APP-06 byte sums are exact")
  void bytes() {
    ConnectionObservation connection = metrics.opened(LABELS);
    connection.fromInitiator(11);
    connection.towardsInitiator(20);
    connection.towardsInitiator(2);

    assertThat(value("istio_tcp_received_bytes_total")).isEqualTo(11);
    assertThat(value("istio_tcp_sent_bytes_total")).isEqualTo(22);
  }

  @Test
  @DisplayName("the labels are Istio's, and an absent value is unknown")
  void labels() {
    metrics.opened(LABELS);
    Attributes labels = points("istio_tcp_connections_opened_total").get(0).getAttributes();

    assertThat(label(labels, "reporter")).isEqualTo("destination");
    assertThat(label(labels, "source_workload")).isEqualTo("web");
    assertThat(label(labels, "source_principal")).isEqualTo("spiffe://t/ns/shop/sa/web");
    assertThat(label(labels, "destination_workload")).isEqualTo("unknown");
    assertThat(label(labels, "destination_service")).isEqualTo("api.pay.svc.cluster.local");
    assertThat(label(labels, "connection_security_policy")).isEqualTo("mutual_tls");
    assertThat(label(labels, "request_protocol")).isEqualTo("tcp");
    assertThat(label(labels, "response_flags")).isEqualTo("-");
    assertThat(labels.get(AttributeKey.stringKey("destination_region"))).isNull();
  }

  @Test
  @DisplayName("the four metrics have the names of reference 7.1, and exactly its labels")
  void namesAndLabels() {
    ConnectionObservation connection = metrics.opened(LABELS);
    connection.fromInitiator(1);
    connection.towardsInitiator(1);
    connection.closed("-");

    Collection<MetricData> collected = reader.collectAllMetrics();

    assertThat(collected)
        .extracting(MetricData::getName)
        .containsExactlyInAnyOrder(
            "istio_tcp_connections_opened_total",
            "istio_tcp_connections_closed_total",
            "istio_tcp_received_bytes_total",
            "istio_tcp_sent_bytes_total");
    for (MetricData metric : collected) {
      LongPointData point = metric.getLongSumData().getPoints().iterator().next();
      assertThat(point.getAttributes().asMap().keySet())
          .as(metric.getName())
          .extracting(AttributeKey::getKey)
          .containsExactlyInAnyOrderElementsOf(REFERENCE_LABELS);
    }
  }

  @Test
  @DisplayName("what ended a connection is a label of its own series")
  void responseFlags() {
    metrics.opened(LABELS).closed("DENY");
    metrics.opened(LABELS).closed("-");

    assertThat(points("istio_tcp_connections_closed_total"))
        .extracting(point -> label(point.getAttributes(), "response_flags"))
        .containsExactlyInAnyOrder("DENY", "-");
  }

  @Test
  @DisplayName("B194 labels without end are counted together, and nothing is lost")
  void bounded() {
    for (int i = 0; i < 3_000; i++) {
      metrics.opened(labels("w" + i));
    }

    List<LongPointData> points = points("istio_tcp_connections_opened_total");
    assertThat(points).hasSizeLessThanOrEqualTo(1_001);
    assertThat(points.stream().mapToLong(LongPointData::getValue).sum()).isEqualTo(3_000);
  }

  private long value(String name) {
    return points(name).get(0).getValue();
  }

  private List<LongPointData> points(String name) {
    Collection<MetricData> collected = reader.collectAllMetrics();
    return collected.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .toList();
  }

  private static String label(Attributes labels, String name) {
    return labels.get(AttributeKey.stringKey(name));
  }
}
