// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.spi.HostResolver;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HostLookupTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final List<InetAddress> FOUND = List.of(InetAddress.getLoopbackAddress());

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop loop = loops.next();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
  private final CountDownLatch answer = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final AtomicInteger questions = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    answer.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }

  /** Answers when the test says so. */
  private List<InetAddress> hesitate(String hostname) throws UnknownHostException {
    questions.incrementAndGet();
    asked.countDown();
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new UnknownHostException("interrupted");
    }
    return FOUND;
  }

  private HostLookup lookup(HostResolver resolver, Duration patience) {
    return new HostLookup(resolver, threads, patience);
  }

  private static Throwable failure(Future<?> future) throws Exception {
    try {
      throw new AssertionError("found: " + future.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @Test
  @DisplayName("everybody who asks for a name waits for one and the same answer")
  void shared() throws Exception {
    HostLookup lookup = lookup(this::hesitate, LONG);
    List<Future<List<InetAddress>>> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiting.add(lookup.addresses("db.example", loop));
    }
    answer.countDown();

    for (Future<List<InetAddress>> one : waiting) {
      assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo(FOUND);
    }
    assertThat(questions).hasValue(1);
  }

  @Test
  @DisplayName("a name is asked for again once it has been answered")
  void askedAgain() throws Exception {
    answer.countDown();
    HostLookup lookup = lookup(this::hesitate, LONG);
    lookup.addresses("db.example", loop).get(30, TimeUnit.SECONDS);
    lookup.addresses("db.example", loop).get(30, TimeUnit.SECONDS);

    assertThat(questions).hasValue(2);
  }

  @Test
  @DisplayName("nobody waits longer for a resolver than allowed")
  void tooSlow() throws Exception {
    assertThat(
            failure(lookup(this::hesitate, Duration.ofMillis(50)).addresses("slow.example", loop)))
        .isInstanceOf(RouteRefusedException.class)
        .hasMessageContaining("did not answer for slow.example");
  }

  @Test
  @DisplayName("names that a slow resolver cannot take are refused, not heaped up")
  void bounded() throws Exception {
    HostLookup lookup = lookup(this::hesitate, LONG);
    lookup.addresses("one.example", loop);
    asked.await();
    Future<List<InetAddress>> queued = lookup.addresses("two.example", loop);

    assertThat(failure(lookup.addresses("three.example", loop)))
        .isInstanceOf(RouteRefusedException.class)
        .hasMessageContaining("too many host names");
    assertThat(queued.isDone()).isFalse();
  }

  @Test
  @DisplayName("no address is as good as an unknown name")
  void noAddress() throws Exception {
    assertThat(failure(lookup(hostname -> List.of(), LONG).addresses("empty.example", loop)))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  @DisplayName("who still waits at the end is told that the mesh is closed")
  void closed() throws Exception {
    HostLookup lookup = lookup(this::hesitate, LONG);
    Future<List<InetAddress>> waiting = lookup.addresses("db.example", loop);
    asked.await();

    lookup.close();

    assertThat(failure(waiting)).isInstanceOf(TunnelException.Closed.class);
    assertThat(failure(lookup.addresses("other.example", loop)))
        .isInstanceOf(TunnelException.Closed.class);
  }
}
