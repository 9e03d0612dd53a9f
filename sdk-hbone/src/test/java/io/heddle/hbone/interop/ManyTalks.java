// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.rig.Await;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Many short connections, some at a time, and what they leave behind. */
final class ManyTalks {
  private static final int AT_ONCE = 64;
  private static final int SPARE_DESCRIPTORS = 10;

  private ManyTalks() {}

  /** Runs so many talks; all have to succeed, and every descriptor has to return. */
  static void run(int times, Envoy envoy, Consumer<ShortTalk> start) throws Exception {
    talk(AT_ONCE, start);
    int before = descriptors() + envoy.descriptors();
    talk(times, start);
    Await.until(
        "descriptors return",
        () -> descriptors() + envoy.descriptors() <= before + SPARE_DESCRIPTORS);
  }

  private static void talk(int times, Consumer<ShortTalk> start) throws Exception {
    Semaphore free = new Semaphore(AT_ONCE);
    AtomicInteger complete = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int n = 0; n < times; n++) {
      assertThat(free.tryAcquire(30, TimeUnit.SECONDS)).as("a talk ends").isTrue();
      ShortTalk talk = new ShortTalk();
      talk.heard.whenComplete(
          (bytes, failed) -> {
            if (failed != null) {
              failure.compareAndSet(null, failed);
            } else if (ShortTalk.isAll(bytes)) {
              complete.incrementAndGet();
            }
            free.release();
          });
      start.accept(talk);
    }
    assertThat(free.tryAcquire(AT_ONCE, 30, TimeUnit.SECONDS)).as("all talks end").isTrue();
    assertThat(failure.get()).isNull();
    assertThat(complete).hasValue(times);
  }

  private static int descriptors() {
    return Path.of("/proc/self/fd").toFile().list().length;
  }
}
