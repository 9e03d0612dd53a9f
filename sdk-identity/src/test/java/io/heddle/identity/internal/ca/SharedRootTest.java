// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.IdentityException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustDomain;
import io.heddle.testing.Eventually;
import io.heddle.testing.ManualTime;
import io.heddle.testing.SharedRootProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedRootTest {

  private static final TrustDomain MESH = TrustDomain.parse("mesh.test");
  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTime time = new ManualTime(NOON);

  @TempDir Path temporary;

  @Test
  @DisplayName("the directory and the key are for their owner only, and nothing else is left")
  void modes() throws Exception {
    Path directory = temporary.resolve("deep").resolve("dev");
    shared(directory);

    assertThat(mode(directory)).isEqualTo("rwx------");
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName() + " " + mode(file)))
          .containsExactlyInAnyOrder(
              "development-root.pem rw-------", "development-root.lock rw-------");
    }
  }

  @Test
  @DisplayName("whoever comes later trusts and extends the same root")
  void sameRoot() {
    Path directory = temporary.resolve("dev");
    DevelopmentCa first = shared(directory);
    DevelopmentCa second = shared(directory);

    assertThat(second.bundle()).isEqualTo(first.bundle());
    var root = first.bundle().anchors().iterator().next();
    assertThat(second.issue(WEB, Duration.ofHours(1)).leaf())
        .satisfies(leaf -> leaf.verify(root.getPublicKey()));
  }

  @Test
  @DisplayName("threads that start at once agree on one root")
  void racingThreads() throws Exception {
    Path directory = temporary.resolve("dev");
    int racers = 8;
    ExecutorService pool = Executors.newFixedThreadPool(racers);
    try {
      CyclicBarrier start = new CyclicBarrier(racers);
      List<Future<TrustBundle>> bundles = new ArrayList<>();
      for (int i = 0; i < racers; i++) {
        bundles.add(
            pool.submit(
                () -> {
                  start.await(30, TimeUnit.SECONDS);
                  return shared(directory).bundle();
                }));
      }
      Set<TrustBundle> different = new HashSet<>();
      for (Future<TrustBundle> bundle : bundles) {
        different.add(bundle.get(60, TimeUnit.SECONDS));
      }
      assertThat(different).hasSize(1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("processes that start at once agree on one root")
  void racingProcesses() throws Exception {
    Path directory = temporary.resolve("dev");
    List<SharedRootProcess> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(SharedRootProcess.start(directory, MESH));
    }

    Set<String> serials = new HashSet<>();
    for (SharedRootProcess process : processes) {
      serials.add(process.serialOfRoot());
    }

    assertThat(serials).hasSize(1).allMatch(serial -> serial.matches("[0-9a-f]+"));
  }

  @Test
  @DisplayName("waits for another process that is just making the root")
  void waitsForTheLock() throws Exception {
    Path directory = Files.createDirectory(temporary.resolve("dev"), ownerOnly());
    Path lockFile = directory.resolve("development-root.lock");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock held = channel.lock();
      Future<DevelopmentCa> waiting = pool.submit(() -> shared(directory));
      Eventually.staysTrue(
          "waiting",
          Duration.ofMillis(200),
          () -> !waiting.isDone() && !Files.exists(directory.resolve(SharedRoot.ROOT_FILE)));

      held.release();

      assertThat(waiting.get(30, TimeUnit.SECONDS).trustDomain()).isEqualTo(MESH);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("a directory that other users can enter is refused, with the remedy")
  void openDirectory() throws Exception {
    Path directory = Files.createDirectory(temporary.resolve("dev"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> shared(directory))
        .isInstanceOf(IdentityException.Refused.class)
        .hasMessageContaining("rwxr-xr-x")
        .hasMessageContaining("chmod 700 " + directory);
    assertThat(Files.exists(directory.resolve(SharedRoot.ROOT_FILE))).isFalse();
  }

  @Test
  @DisplayName("a root file that other users can read is refused, with the remedy")
  void openRootFile() throws Exception {
    Path directory = temporary.resolve("dev");
    shared(directory);
    Files.setPosixFilePermissions(
        directory.resolve(SharedRoot.ROOT_FILE), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> shared(directory))
        .isInstanceOf(IdentityException.Refused.class)
        .hasMessageContaining("rw-r--r--")
        .hasMessageContaining("delete it");
  }

  @Test
  @DisplayName("the root of another trust domain is refused, with the remedy")
  void foreignTrustDomain() {
    Path directory = temporary.resolve("dev");
    shared(directory);

    assertThatThrownBy(
            () ->
                DevelopmentCa.builder(TrustDomain.parse("other.test"))
                    .environment(Map.of())
                    .clock(time.clock())
                    .sharedIn(directory)
                    .build())
        .isInstanceOf(IdentityException.Refused.class)
        .hasMessageContaining("holds the development root of trust domain mesh.test")
        .hasMessageContaining("another directory");
  }

  @Test
  @DisplayName("a damaged root is an error that says what to do, not a new root")
  void damagedRoot() throws Exception {
    Path directory = temporary.resolve("dev");
    shared(directory);
    Path file = directory.resolve(SharedRoot.ROOT_FILE);
    Files.writeString(file, Files.readString(file).substring(0, 300));

    assertThatThrownBy(() -> shared(directory))
        .isInstanceOf(IdentityException.SourceFailed.class)
        .hasMessageContaining("damaged")
        .hasMessageContaining("delete it");
  }

  @Test
  @DisplayName("an expired root is replaced")
  void expiredRoot() {
    Path directory = temporary.resolve("dev");
    DevelopmentCa before = shared(directory);

    time.elapse(Duration.ofDays(31));
    DevelopmentCa after = shared(directory);

    assertThat(after.bundle()).isNotEqualTo(before.bundle());
    assertThat(after.issue(WEB, Duration.ofHours(1)).notAfter()).isAfter(time.now());
  }

  @Test
  @DisplayName("a file where the directory should be is refused")
  void notADirectory() throws Exception {
    Path file = Files.createFile(temporary.resolve("dev"));

    assertThatThrownBy(() -> shared(file))
        .isInstanceOf(IdentityException.Refused.class)
        .hasMessageContaining("is not a directory");
  }

  private DevelopmentCa shared(Path directory) {
    return DevelopmentCa.builder(MESH)
        .environment(Map.of())
        .clock(time.clock())
        .sharedIn(directory)
        .build();
  }

  private static FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
