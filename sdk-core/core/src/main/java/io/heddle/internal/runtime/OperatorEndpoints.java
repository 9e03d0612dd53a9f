// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.SourceHealth;
import io.heddle.identity.SvidSource;
import io.heddle.internal.admin.AdminPages;
import io.heddle.internal.admin.ConfigDump;
import io.heddle.internal.admin.HttpEndpoint;
import io.heddle.internal.admin.ReadinessPages;
import io.heddle.internal.state.Workload;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators and the kubelet ask: admin on loopback, readiness on the workload's addresses. A
 * mesh works without them, so that an address which cannot be had is only warned of.
 */
final class OperatorEndpoints {

  private static final Logger LOG = LoggerFactory.getLogger(OperatorEndpoints.class);

  /** HBONE reference 1.1, DESIGN D29. */
  static final int READINESS_PORT = 15021;

  /** Pages that wait while one is made: a dump is large, and nobody needs many at once. */
  private static final int WAITING_PAGES = 4;

  private final EventLoopGroup loops;
  private final Teardown teardown;

  OperatorEndpoints(EventLoopGroup loops, Teardown teardown) {
    this.loops = loops;
    this.teardown = teardown;
  }

  /** Serves readiness on each of the workload's addresses. */
  void serveReadiness(Workload record, OwnWorkload own, SvidSource identity) {
    ReadinessPages pages = new ReadinessPages(() -> pending(own, identity));
    for (InetAddress address : record.addresses()) {
      InetSocketAddress at = new InetSocketAddress(address, READINESS_PORT);
      try {
        teardown.add("readiness", HttpEndpoint.readiness(loops, at, pages));
      } catch (IOException e) {
        LOG.warn("readiness is not served at {}: {}", at, cause(e));
      }
    }
  }

  /**
   * Serves operators, if so chosen.
   *
   * @return where, or null
   */
  @Nullable InetSocketAddress serveAdmin(
      AdminChoice choice, ConfigDump dump, OwnWorkload own, SvidSource identity) {
    if (!choice.served()) {
      return null;
    }
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), choice.port());
    ThreadPoolExecutor worker = worker();
    AdminPages pages = new AdminPages(dump, () -> pending(own, identity));
    try {
      HttpEndpoint endpoint = HttpEndpoint.admin(loops, at, pages, worker);
      teardown.add("admin threads", worker::shutdownNow);
      teardown.add("admin", endpoint);
      LOG.info("admin is served at http://{}:{}", "localhost", endpoint.address().getPort());
      return endpoint.address();
    } catch (IOException e) {
      worker.shutdownNow();
      LOG.warn("admin is not served at {}: {}", at, cause(e));
      return null;
    }
  }

  /** What keeps peers from reaching the workload now (DESIGN D17). */
  static List<String> pending(OwnWorkload own, SvidSource identity) {
    List<String> pending = new ArrayList<>();
    if (own.now() == null) {
      pending.add("workload");
    }
    SourceHealth.State state = identity.health().state();
    if (state != SourceHealth.State.READY && state != SourceHealth.State.DEGRADED) {
      pending.add("certificate");
    }
    return pending;
  }

  private static ThreadPoolExecutor worker() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_PAGES),
            new DefaultThreadFactory("heddle-admin", /* daemon= */ true));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static @Nullable String cause(IOException failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure.getMessage() : cause.getMessage();
  }
}
