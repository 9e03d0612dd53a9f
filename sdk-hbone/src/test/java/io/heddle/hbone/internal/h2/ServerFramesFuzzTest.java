// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heddle.hbone.netty.TunnelRequest;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any frames against a server's connection: it answers in HTTP/2, holds nothing, and ends. */
class ServerFramesFuzzTest {

  static Stream<byte[]> kept() {
    return Choices.kept("/hbone/fuzz/server-frames.txt");
  }

  @MethodSource("kept")
  @FuzzTest
  void frames(byte[] input) {
    new Server(input).play();
  }

  private static final class Server extends FrameFuzz {
    private final ServerTunnels connection;
    private final List<TunnelRequest> requests = new ArrayList<>();
    private final List<TunnelRequest> waiting = new ArrayList<>();
    private int gone;

    Server(byte[] input) {
      super(input, true);
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", 15008);
      connection =
          new ServerTunnels(
              new Environment(SETTINGS, budget, new UnreadTunnels(), Clock.systemUTC(), () -> 0.5),
              PEER,
              address,
              address,
              wire.eventLoop(),
              this::onConnect,
              () -> gone++);
    }

    private void onConnect(TunnelRequest request) {
      requests.add(request);
      waiting.add(request);
      if (choices.yes()) {
        act(0);
      }
    }

    @Override
    TunnelConnection connection() {
      return connection;
    }

    @Override
    void act(int action) {
      if (action == 4) {
        connection.drain("the fuzzer ends it");
      } else if (action == 5) {
        connection.cut();
      } else if (!waiting.isEmpty()) {
        TunnelRequest request = waiting.remove(choices.below(waiting.size()));
        if (action == 6) {
          request.refuse(503);
        } else {
          tunnels.add(request.accept(null, application()));
        }
      }
    }

    @Override
    void assertEverybodyKnows() {
      assertThat(gone).as("times that the connection was said to be gone").isEqualTo(1);
      assertThat(requests).allMatch(request -> request.cancelled().isDone());
    }
  }
}
