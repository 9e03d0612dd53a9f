// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.Tunnel;
import io.netty.util.concurrent.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any frames against a client's connection: it stays within HTTP/2, holds nothing, and ends. */
class ClientFramesFuzzTest {

  static Stream<byte[]> kept() {
    return Choices.kept("/hbone/fuzz/client-frames.txt");
  }

  @MethodSource("kept")
  @FuzzTest
  void frames(byte[] input) {
    new Client(input).play();
  }

  private static final class Client extends FrameFuzz {
    private static final Authority AUTHORITY = Authority.parse("10.0.0.5:8080");

    private final ClientTunnels connection;
    private final List<Future<Tunnel>> opens = new ArrayList<>();

    Client(byte[] input) {
      super(input, false);
      connection =
          new ClientTunnels(
              new Environment(SETTINGS, budget, new UnreadTunnels(), Clock.systemUTC(), () -> 0.5),
              PEER,
              "127.0.0.1",
              wire.eventLoop());
    }

    @Override
    TunnelConnection connection() {
      return connection;
    }

    @Override
    void act(int action) {
      switch (action) {
        case 4 -> connection.closeWhenIdle();
        case 5 -> connection.closeNow();
        case 6 -> {
          if (!opens.isEmpty()) {
            opens.get(choices.below(opens.size())).cancel(false);
          }
        }
        default -> open();
      }
    }

    private void open() {
      Future<Tunnel> opening = connection.open(AUTHORITY, TunnelHeaders.NONE, application());
      opens.add(opening);
      opening.addListener(
          done -> {
            if (done.isSuccess()) {
              tunnels.add(opening.getNow());
            }
          });
    }

    @Override
    void assertEverybodyKnows() {
      assertThat(opens).allMatch(Future::isDone);
      assertThat(connection.settled().isDone()).isTrue();
      assertThat(connection.closed().isSuccess()).isTrue();
    }
  }
}
