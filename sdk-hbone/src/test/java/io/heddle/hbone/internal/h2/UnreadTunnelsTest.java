// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.rig.Await;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnreadTunnelsTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, LocalIoHandler.newFactory());
  private final UnreadTunnels unread = new UnreadTunnels();

  @AfterEach
  void endLoops() {
    Await.get(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS));
  }

  private Channel channel() {
    Channel channel = new LocalChannel();
    Await.get(loops.register(channel));
    return channel;
  }

  @Test
  @DisplayName("loops may end at once when everything is read")
  void nothingUnread() {
    Await.get(unread.end(loops, LONG));

    assertThat(loops.isShuttingDown()).isFalse();
  }

  @Test
  @DisplayName("loops stay for a tunnel until it is closed")
  void waitsForTheReader() {
    Channel tunnel = channel();
    unread.add(tunnel);

    Future<Void> end = unread.end(loops, LONG);
    assertThat(end.isDone()).isFalse();
    tunnel.close();

    Await.get(end);
  }

  @Test
  @DisplayName("a tunnel that nobody reads is closed in the end")
  void closesWhatIsNotRead() {
    Channel tunnel = channel();
    unread.add(tunnel);

    Await.get(unread.end(loops, Duration.ofMillis(1)));

    assertThat(tunnel.isOpen()).isFalse();
  }

  @Test
  @DisplayName("loops that ended already are not waited for")
  void loopsAreGone() {
    Await.get(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS));

    Await.get(unread.end(loops, LONG));

    assertThat(loops.isTerminated()).isTrue();
  }
}
