// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The contract held by {@link ChannelSocket} over epoll, which reports ends and resets otherwise.
 */
@EnabledOnOs(OS.LINUX)
class ChannelSocketOverEpollContractTest extends ByteChannelContract {

  private static TcpConnector tcp;

  @BeforeAll
  static void startLoops() {
    tcp = TcpConnector.epoll();
  }

  @AfterAll
  static void stopLoops() throws InterruptedException {
    tcp.close();
  }

  @Override
  protected Opening open() throws IOException {
    return ChannelSocketContractTest.opening(tcp);
  }
}
