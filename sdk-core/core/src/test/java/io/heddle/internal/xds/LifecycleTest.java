// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import io.heddle.testing.Eventually;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LifecycleTest extends AdsFixture {

  /** Gives the largest delay there is, so that delays are the bounds. */
  private static final RandomGenerator LARGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 12345;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  @Test
  @DisplayName("B081 nothing is applied after close returned, however much is queued")
  void nothingAfterClose() {
    ScriptedControlPlane.Stream stream = openSynced();
    AtomicBoolean closed = new AtomicBoolean();
    AtomicInteger late = new AtomicInteger();
    index.onPublish(
        (former, next) -> {
          if (closed.get()) {
            late.incrementAndGet();
          }
        });
    for (int i = 0; i < 1000; i++) {
      stream.send(
          Responses.addresses(
              Responses.resource(Responses.pod("w" + i, "10.0.1.1"), Integer.toString(i))));
    }
    Eventually.holds("some were applied", () -> !known().workloads().isEmpty());

    client.close();
    closed.set(true);
    long version = known().version();

    Eventually.staysTrue(
        "nothing more is applied",
        Duration.ofMillis(200),
        () -> late.get() == 0 && known().version() == version);
  }

  @Test
  @DisplayName("B081 closing inside a listener of the index returns, and the thread ends")
  void closeInsideAListener() {
    ScriptedControlPlane.Stream stream = openSynced();
    AtomicInteger publications = new AtomicInteger();
    CompletableFuture<Thread> closedOn = new CompletableFuture<>();
    try (WorkloadIndex.Registration unused =
        index.onPublish(
            (former, next) -> {
              publications.incrementAndGet();
              client.close();
              closedOn.complete(Thread.currentThread());
            })) {
      stream.send(Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));
      stream.send(Responses.addresses(Responses.resource(Responses.pod("b", "10.0.0.6"), "1")));

      assertThat(closedOn).succeedsWithin(10, TimeUnit.SECONDS);
      Eventually.holds("the thread ends", () -> !closedOn.join().isAlive());
    }

    assertThat(publications).hasValue(1);
    assertThat(client.status().state()).isEqualTo(AdsStatus.State.CLOSED);
  }

  @Test
  @DisplayName("B082 a server that answers and closes again and again is met ever later")
  void eagerCloser() {
    AtomicLong now = new AtomicLong();
    use(
        builder()
            .backoff(Duration.ofMillis(1), Duration.ofMillis(256))
            .random(LARGEST)
            .nanoTime(now::get));
    long begin = System.nanoTime();
    client.start();
    for (int i = 0; i < 9; i++) {
      ScriptedControlPlane.Stream stream = opening().stream();
      exchange(stream, Responses.addresses());
      exchange(stream, Responses.policies());
      stream.end(Status.OK);
    }
    opening();

    // 1 + 2 + 4 + ... + 256 ms, whatever else takes time.
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(500));
  }

  @Test
  @DisplayName("B082 after a stream that lived long the first attempt comes at once")
  void longStreamResetsTheDelay() {
    AtomicLong now = new AtomicLong();
    use(
        builder()
            .backoff(Duration.ofMillis(1), Duration.ofHours(1))
            .random(LARGEST)
            .nanoTime(now::get));
    client.start();
    for (int i = 0; i < 10; i++) {
      opening().stream().end(Status.UNAVAILABLE);
    }
    ScriptedControlPlane.Stream stream = opening().stream();
    exchange(stream, Responses.addresses());
    exchange(stream, Responses.policies());
    Eventually.holds("connected", () -> client.status().state() == AdsStatus.State.CONNECTED);
    now.addAndGet(Duration.ofSeconds(60).toNanos());
    long cut = System.nanoTime();
    stream.end(Status.UNAVAILABLE);
    opening();

    // The eleventh delay in a row would be more than a second.
    assertThat(Duration.ofNanos(System.nanoTime() - cut)).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("B074 who waits for the own workload gets it among unrelated updates")
  void ownWorkloadArrivesLate() throws Exception {
    ScriptedControlPlane.Stream stream = openSynced();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      var own =
          index.await(new WorkloadInfo("own", "shop", "default"), Duration.ofSeconds(30), timer);
      for (int i = 0; i < 50; i++) {
        exchange(
            stream,
            Responses.addresses(Responses.resource(Responses.pod("w" + i, "10.0.1." + i), "1")));
      }
      assertThat(own).isNotDone();

      exchange(
          stream, Responses.addresses(Responses.resource(Responses.pod("own", "10.0.0.5"), "1")));

      assertThat(own).succeedsWithin(10, TimeUnit.SECONDS);
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  @DisplayName("B084 started from an event loop or a pool's worker, it connects as from anywhere")
  void startedFromAnyThread() throws Exception {
    var loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      loops.submit(() -> client.start()).get(10, TimeUnit.SECONDS);
      opening();
      use(builder());
      ForkJoinPool.commonPool().submit(() -> client.start()).get(10, TimeUnit.SECONDS);
      opening();
    } finally {
      loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("B084 started and closed at once, it connects no more and leaves no thread")
  void startAndClose() {
    client.start();
    client.start();
    client.close();
    client.close();

    assertThat(client.status().state()).isEqualTo(AdsStatus.State.CLOSED);
  }
}
