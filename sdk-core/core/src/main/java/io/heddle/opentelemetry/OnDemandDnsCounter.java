// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.opentelemetry;

import io.heddle.spi.ConnectionLabels.Party;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often host names of workloads were resolved, by source and name. Thread-safe. */
final class OnDemandDnsCounter implements AutoCloseable {

  private static final int MAX_NAMES = 1_000;
  private static final String OVERFLOW = "overflow";

  private record Use(Party source, String hostname) {}

  private final Map<Use, LongAdder> uses = new ConcurrentHashMap<>();
  private final ObservableLongCounter counter;

  OnDemandDnsCounter(Meter meter) {
    counter =
        meter
            .counterBuilder("istio_on_demand_dns_total")
            .setDescription("Uses of host names of workloads")
            .setUnit("{lookup}")
            .buildWithCallback(
                out -> uses.forEach((use, count) -> out.record(count.sum(), attributes(use))));
  }

  void count(Party source, String hostname) {
    Use use = new Use(source, hostname);
    boolean known = uses.containsKey(use) || uses.size() < MAX_NAMES;
    uses.computeIfAbsent(known ? use : new Use(source, OVERFLOW), key -> new LongAdder())
        .increment();
  }

  private static Attributes attributes(Use use) {
    AttributesBuilder to = Attributes.builder();
    IstioTcpMetrics.party(to, "source", use.source());
    return to.put("hostname", use.hostname()).build();
  }

  @Override
  public void close() {
    counter.close();
  }
}
