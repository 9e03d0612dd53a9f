// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {

  private final ConnectionTable table = new ConnectionTable();

  @Test
  @DisplayName("CM-01 two connections that are alike are both told")
  void bothAreTold() {
    AtomicInteger told = new AtomicInteger();
    table.register(told::incrementAndGet);
    table.register(told::incrementAndGet);

    table.policiesChanged();

    assertThat(told).hasValue(2);
  }

  @Test
  @DisplayName("CM-01 releasing one of two that are alike leaves the other")
  void oneStays() {
    AtomicInteger told = new AtomicInteger();
    ConnectionTable.Entry first = told::incrementAndGet;
    ConnectionTable.Entry second = told::incrementAndGet;
    table.register(first);
    table.register(second);

    table.release(first);
    table.policiesChanged();

    assertThat(told).hasValue(1);
    assertThat(table.size()).isEqualTo(1);
  }
}
