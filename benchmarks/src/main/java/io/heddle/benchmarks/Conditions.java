// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.report.Measurement;
import java.lang.management.ManagementFactory;

/** Under which conditions the figures of this run arise. */
final class Conditions {

  private Conditions() {}

  static void record(Measurement found, MutualTls tls) {
    found.fact(
        "machine.system",
        property("os.name") + " " + property("os.version") + " " + property("os.arch"));
    found.fact("machine.processors", Runtime.getRuntime().availableProcessors() + " processors");
    found.fact("machine.jdk", "JDK " + property("java.runtime.version"));
    found.fact("machine.tls", "TLS by " + tls.client().description());
    found.fact("machine.transport", "NIO");
    found.fact(
        "jvm.flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    found.fact("threads", "one event loop for the client's side, one for the server's");
    found.fact("telemetry", "OpenTelemetry SDK, collected every second; access log off");
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
