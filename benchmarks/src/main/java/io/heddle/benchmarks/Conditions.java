// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.report.Results;
import java.lang.management.ManagementFactory;

/** Under which conditions the figures of this run arise. */
final class Conditions {

  private Conditions() {}

  static void record(Results results, MutualTls tls) {
    results.fact(
        "machine.system",
        property("os.name") + " " + property("os.version") + " " + property("os.arch"));
    results.fact("machine.processors", Runtime.getRuntime().availableProcessors() + " processors");
    results.fact("machine.jdk", "JDK " + property("java.runtime.version"));
    results.fact("machine.tls", "TLS by " + tls.client().description());
    results.fact("machine.transport", "NIO");
    results.fact(
        "jvm.flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    results.fact("threads", "one event loop for the client's side, one for the server's");
    results.fact("telemetry", "OpenTelemetry SDK, collected every second; access log off");
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
