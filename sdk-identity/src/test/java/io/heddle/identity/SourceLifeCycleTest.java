// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.CertificateDirectory;
import io.heddle.testing.Eventually;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class SourceLifeCycleTest {

  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");

  private final DevelopmentCa ca =
      DevelopmentCa.builder(TrustDomain.parse("mesh.test")).environment(Map.of()).build();

  private final Set<Thread> before = ownThreadsNow().collect(Collectors.toSet());

  @TempDir Path temporary;

  @Test
  @DisplayName("ID-047 a closed source gives nothing, ends its own thread and leaves the caller's")
  void closed() throws Exception {
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    ExecutorService listeners = Executors.newSingleThreadExecutor();
    try {
      DevelopmentSource borrowing =
          DevelopmentSource.builder(ca, WEB)
              .scheduler(scheduler)
              .listenerExecutor(listeners)
              .build();
      DevelopmentSource owning = DevelopmentSource.builder(ca, WEB).build();
      PemFileSource files = pemFiles().listenerExecutor(listeners).build();
      assertThat(ownThreads()).isEqualTo(2);

      for (SvidSource source : new SvidSource[] {borrowing, owning, files}) {
        source.close();
        assertThatThrownBy(source::current)
            .isInstanceOf(IdentityException.Unavailable.class)
            .hasMessageContaining("closed");
      }

      assertThat(scheduler.submit(() -> "still running").get()).isEqualTo("still running");
      assertThat(listeners.submit(() -> "still running").get()).isEqualTo("still running");
      Eventually.holds("own threads have ended", () -> ownThreads() == 0);
    } finally {
      scheduler.shutdownNow();
      listeners.shutdownNow();
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @DisplayName("B020 500 sources opened and closed leave neither descriptors nor threads")
  void nothingLeaks() throws Exception {
    PemFileSource.Builder files = pemFiles();
    PemFileSource.Builder missing =
        PemFileSource.builder()
            .credentialBundle(temporary.resolve("missing").resolve("bundle.pem"))
            .roots(temporary.resolve("missing").resolve("roots.pem"));
    openAndClose(files, missing);
    Eventually.holds("own threads have ended", () -> ownThreads() == 0);
    long descriptors = openDescriptors();
    int threads = Thread.getAllStackTraces().size();

    for (int i = 0; i < 500; i++) {
      openAndClose(files, missing);
    }

    Eventually.holds("own threads have ended", () -> ownThreads() == 0);
    Eventually.holds("descriptors are back", () -> openDescriptors() <= descriptors);
    Eventually.holds("threads are back", () -> Thread.getAllStackTraces().size() <= threads);
  }

  @Test
  @DisplayName("a listener that closes its own source ends it cleanly")
  void closedByListener() throws Exception {
    CertificateDirectory directory = directory();
    PemFileSource source = pemFiles().listenerExecutor(Runnable::run).build();
    source.onUpdate(snapshot -> source.close());

    directory.write(TestPki.create("mesh.test").svid(WEB));

    Eventually.holds("closed", () -> source.health().state() == SourceHealth.State.CLOSED);
    Eventually.holds("own threads have ended", () -> ownThreads() == 0);
  }

  private void openAndClose(PemFileSource.Builder files, PemFileSource.Builder missing) {
    try (DevelopmentSource development = DevelopmentSource.builder(ca, WEB).build();
        PemFileSource reading = files.build();
        PemFileSource waiting = missing.build()) {
      assertThat(development.current()).isNotNull();
      assertThat(reading.current()).isNotNull();
      assertThat(waiting.health().state()).isEqualTo(SourceHealth.State.STARTING);
      waiting.close();
    }
  }

  private CertificateDirectory directory() throws IOException {
    return new CertificateDirectory(temporary.resolve("certs"), TestPki.create("mesh.test"));
  }

  private PemFileSource.Builder pemFiles() throws IOException {
    CertificateDirectory directory = directory();
    directory.write(TestPki.create("mesh.test").svid(WEB));
    return PemFileSource.builder()
        .key(directory.key())
        .chain(directory.chain())
        .roots(directory.roots())
        .pollInterval(Duration.ofHours(1));
  }

  /** Those that this test has started: other tests may have left some that are about to end. */
  private long ownThreads() {
    return ownThreadsNow().filter(thread -> !before.contains(thread)).count();
  }

  private static Stream<Thread> ownThreadsNow() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("heddle-identity"));
  }

  private static long openDescriptors() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
