// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import io.heddle.opentelemetry.IstioTcpMetrics;
import io.heddle.spi.HostResolver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that have a host name in place of addresses (HBONE reference 2.5). */
class HostnameWorkloadTest {

  private static final HostResolver NOBODY =
      hostname -> {
        throw new UnknownHostException(hostname);
      };

  @TempDir private Path directory;
  private MeshLab lab;
  private EchoServer database;
  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final SdkMeterProvider meters =
      SdkMeterProvider.builder().registerMetricReader(reader).build();
  private final IstioTcpMetrics metrics =
      IstioTcpMetrics.of(OpenTelemetrySdk.builder().setMeterProvider(meters).build());

  @BeforeEach
  void makeLab() throws Exception {
    lab = new MeshLab(directory);
    database = lab.echo(lab.address(7), 0);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
    metrics.close();
    meters.close();
  }

  private Path world(String... fields) throws Exception {
    String[] all = new String[fields.length + 2];
    System.arraycopy(fields, 0, all, 2, fields.length);
    all[0] = "hostname: db.example";
    all[1] = "services: {\"ext/db.ext.svc.cluster.local\": {80: %d}}".formatted(database.port());
    return lab.file(
        "mesh",
        new World()
            .workload("shop/web/web", lab.at(1))
            .workload("ext/db/db", "", all)
            .service("ext/db", "\"/" + lab.at(100) + '"'));
  }

  private Mesh web(Path world, HostResolver resolver) {
    return lab.pod(
        world, "shop/web/web", builder -> builder.hostResolver(resolver).telemetry(metrics));
  }

  private HostResolver database() {
    return hostname -> {
      if (!hostname.equals("db.example")) {
        throw new UnknownHostException(hostname);
      }
      return List.of(lab.address(7));
    };
  }

  private List<LongPointData> onDemandDns() {
    return reader.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals("istio_on_demand_dns_total"))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .toList();
  }

  @Test
  @DisplayName("APP-05 a host name endpoint that is used twice counts two resolutions")
  void usedTwice() throws Exception {
    Mesh web = web(world("protocol: TCP"), database());

    assertThat(Traffic.exchange(web, lab.at(100), 80, "once")).isEqualTo("once");
    assertThat(Traffic.exchange(web, "db.ext", 80, "twice")).isEqualTo("twice");
    LongPointData point = onDemandDns().get(0);
    assertThat(point.getValue()).isEqualTo(2);
    assertThat(label(point, "hostname")).isEqualTo("db.example");
    assertThat(label(point, "source_workload")).isEqualTo("web");
    assertThat(label(point, "source_principal")).isEqualTo(MeshLab.id("shop/web/web").toString());
  }

  private static String label(LongPointData point, String name) {
    Attributes labels = point.getAttributes();
    return labels.get(AttributeKey.stringKey(name));
  }

  @Test
  @DisplayName("a tunnel leads to a host name too")
  void tunnel() throws Exception {
    Path world = world();
    Mesh db = lab.pod(lab.file("db", new World().workload("ext/db/db", lab.at(7))), "ext/db/db");
    db.expose(database.port(), connection -> connection.shutdownOutput(), Runnable::run);
    Mesh web = web(world, database());

    try (MeshConnection connection = Traffic.connect(web, "db.ext", 80)) {
      assertThat(connection.peer().orElseThrow().spiffeId()).isEqualTo(MeshLab.id("ext/db/db"));
    }
  }

  @Test
  @DisplayName("a host name that leads nowhere is a typed refusal, and was counted")
  void unresolved() throws Exception {
    Mesh web = web(world("protocol: TCP"), NOBODY);

    assertThatThrownBy(() -> Traffic.connect(web, "db.ext", 80))
        .isInstanceOf(MeshException.NoRoute.class)
        .hasMessageContaining("the workload's host name cannot be resolved")
        .hasMessageContaining("db.example");
    assertThat(onDemandDns().get(0).getValue()).isOne();
  }

  @Test
  @DisplayName("a host name of the application's own is resolved, and is no demand of the mesh")
  void strangersAreNotCounted() throws Exception {
    Mesh web = web(world("protocol: TCP"), hostname -> List.of(lab.address(7)));

    assertThat(Traffic.exchange(web, "elsewhere.example", database.port(), "hi")).isEqualTo("hi");
    assertThat(onDemandDns()).isEmpty();
  }

  @Test
  @DisplayName("an address of the caller's family is taken where the name has one")
  void family() throws Exception {
    InetAddress elsewhere = InetAddress.getByName("::1");
    Mesh web =
        web(world("protocol: TCP"), hostname -> List.of(elsewhere, lab.address(7), elsewhere));

    for (int i = 0; i < 5; i++) {
      assertThat(Traffic.exchange(web, "db.ext", 80, "hello")).isEqualTo("hello");
    }
    assertThat(database.accepted()).hasSize(5);
  }
}
