// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.apply;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static io.heddle.internal.state.MeshFixture.pod;
import static io.heddle.internal.state.MeshFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every connection asks the state several times, so that asking makes no garbage. */
class LookUpAllocationTest {

  private static final int LOOK_UPS = 10_000;
  private static final int PODS = 1_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final MeshSnapshot mesh =
      apply(
          index(),
          IntStream.range(0, PODS)
              .mapToObj(
                  i ->
                      i % 10 == 0
                          ? service("shop", "s" + i + ".shop.svc.test", "net-a/10.96.0." + i / 10)
                              .build()
                          : pod("web-" + i, "10.1." + i / 250 + "." + i % 250).build())
              .toArray(MeshAddress[]::new));

  @Test
  @DisplayName("a workload is found by its address without an allocation")
  void workloadByAddress() {
    InetAddress address = ip("10.1.1.7");

    assertAllocatesNothing(() -> mesh.workload(NET_A, address));
  }

  @Test
  @DisplayName("a service is found by its address without an allocation")
  void serviceByAddress() {
    InetAddress address = ip("10.96.0.7");

    assertAllocatesNothing(() -> mesh.serviceByVip(NET_A, address, "shop"));
  }

  @Test
  @DisplayName("a service is found by its host name without an allocation")
  void serviceByHostname() {
    assertAllocatesNothing(() -> mesh.serviceByHostname("s70.shop.svc.test", "shop"));
  }

  @Test
  @DisplayName("an address that nobody has is looked for without an allocation")
  void stranger() {
    InetAddress address = ip("192.0.2.1");

    assertThat(allocated(() -> mesh.address(NET_A, address, "shop"))).isLessThan(LOOK_UPS);
  }

  private static void assertAllocatesNothing(Supplier<Object> lookUp) {
    assertThat(lookUp.get()).isNotNull();
    assertThat(allocated(lookUp)).isLessThan(LOOK_UPS);
  }

  /** What all look-ups allocate together: less than a byte each is what measuring itself does. */
  private static long allocated(Supplier<?> lookUp) {
    long least = Long.MAX_VALUE;
    Object last = null;
    for (int round = 0; round < 5; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < LOOK_UPS; i++) {
        last = lookUp.get();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(last).isEqualTo(lookUp.get());
    return least;
  }
}
