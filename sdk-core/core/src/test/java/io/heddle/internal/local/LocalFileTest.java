// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.testing.FakeScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileTest {

  private static final TrustDomain MESH_TEST = TrustDomain.parse("mesh.test");

  @TempDir private Path directory;
  private final WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);
  private final FakeScheduler scheduler = new FakeScheduler();
  private Path file;

  @BeforeEach
  void file() {
    file = directory.resolve("mesh.yaml");
  }

  @Test
  @DisplayName("a file is applied when it is loaded")
  void load() throws IOException {
    write(workload("a"));

    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      assertThat(uids()).containsExactly("a");
      assertThat(source.lastError()).isEmpty();
    }
  }

  @Test
  @DisplayName("a bad file applies nothing when it is loaded, not even its good half")
  void loadBad() throws IOException {
    write(badWorkload("a"));

    assertThatThrownBy(() -> LocalFile.load(file, MESH_TEST, index))
        .isInstanceOf(InvalidLocalConfigException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("line 2, workloads[0].protocol");
    assertThat(index.current().version()).isZero();
  }

  @Test
  @DisplayName("a file that is not there, or is not text, says so")
  void unreadable() throws IOException {
    assertThatThrownBy(() -> LocalFile.load(file, MESH_TEST, index))
        .isInstanceOf(InvalidLocalConfigException.class)
        .hasMessageContaining("cannot be read")
        .hasMessageContaining("NoSuchFileException");

    Files.write(file, new byte[] {'a', (byte) 0xff, 'b'});
    assertThatThrownBy(() -> LocalFile.load(file, MESH_TEST, index))
        .isInstanceOf(InvalidLocalConfigException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  @DisplayName("changed content takes the place of what was known, once it has settled")
  void reload() throws IOException {
    write(workload("a"));
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.poll(scheduler);
      write(workload("b") + workload("c").substring("workloads:\n".length()));

      scheduler.advance(LocalFile.POLL_INTERVAL);
      assertThat(uids()).containsExactly("a");
      scheduler.advance(LocalFile.SETTLING_TIME);

      assertThat(uids()).containsExactlyInAnyOrder("b", "c");
      assertThat(index.current().version()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("half-written content is not applied")
  void halfWritten() throws IOException {
    write(workload("a"));
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.poll(scheduler);
      // Valid as it stands, and not what the writer means.
      write("workloads: []\n");
      scheduler.advance(LocalFile.POLL_INTERVAL);
      write(workload("b"));
      scheduler.advance(LocalFile.SETTLING_TIME);
      assertThat(uids()).containsExactly("a");

      scheduler.advance(LocalFile.SETTLING_TIME);
      assertThat(uids()).containsExactly("b");
      assertThat(index.current().version()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("an unchanged file is not applied again")
  void unchanged() throws IOException {
    write(workload("a"));
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.poll(scheduler);
      write(workload("a"));

      scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(3));

      assertThat(index.current().version()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a bad change keeps the good state and is reported, and a good one heals it")
  void badChange() throws IOException {
    write(workload("a"));
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.poll(scheduler);
      write(badWorkload("b"));
      scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(3));
      assertThat(uids()).containsExactly("a");
      assertThat(source.lastError())
          .hasValueSatisfying(error -> assertThat(error).contains("workloads[0].protocol"));

      write(workload("c"));
      scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(2));
      assertThat(uids()).containsExactly("c");
      assertThat(source.lastError()).isEmpty();
    }
  }

  @Test
  @DisplayName("a file that goes away keeps the good state, and is read again when it is back")
  void goneAndBack() throws IOException {
    write(workload("a"));
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.poll(scheduler);
      Files.delete(file);
      scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(2));
      assertThat(uids()).containsExactly("a");
      assertThat(source.lastError())
          .hasValueSatisfying(error -> assertThat(error).contains("cannot be read"));

      write(workload("b"));
      scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(2));
      assertThat(uids()).containsExactly("b");
      assertThat(source.lastError()).isEmpty();
    }
  }

  @Test
  @DisplayName("nothing is applied, nor waits to be, after the source is closed")
  void closed() throws IOException {
    write(workload("a"));
    LocalFile source = LocalFile.load(file, MESH_TEST, index);
    source.poll(scheduler);
    write(workload("b"));
    scheduler.advance(LocalFile.POLL_INTERVAL);

    source.close();

    assertThat(scheduler.waiting()).isZero();
    scheduler.advance(LocalFile.POLL_INTERVAL.multipliedBy(2));
    assertThat(uids()).containsExactly("a");
  }

  @Test
  @DisplayName("a change is heard of: a replaced file, as an editor does, and a swapped directory")
  void watched() throws Exception {
    // The mount of a ConfigMap: the file is a link through a directory link, which is replaced.
    Path first = Files.createDirectory(directory.resolve("..1"));
    Path second = Files.createDirectory(directory.resolve("..2"));
    Files.writeString(first.resolve("mesh.yaml"), workload("a"));
    Files.writeString(second.resolve("mesh.yaml"), workload("b"));
    Path data = Files.createSymbolicLink(directory.resolve("..data"), first);
    Files.createSymbolicLink(file, Path.of("..data/mesh.yaml"));
    ScheduledExecutorService real = Executors.newSingleThreadScheduledExecutor();
    try (LocalFile source = LocalFile.load(file, MESH_TEST, index)) {
      source.follow(real);

      CompletableFuture<Void> swapped = published("b");
      Path next = Files.createSymbolicLink(directory.resolve("..tmp"), second);
      Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
      swapped.get(30, TimeUnit.SECONDS);

      CompletableFuture<Void> replaced = published("c");
      Path edited = Files.writeString(directory.resolve("edited"), workload("c"));
      Files.move(edited, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      replaced.get(30, TimeUnit.SECONDS);
    } finally {
      real.shutdownNow();
    }
    assertThat(watchThreads()).isZero();
  }

  @Test
  @DisplayName("closing inside a listener that a change has called does not wait for itself")
  void closedInsideListener() throws Exception {
    write(workload("a"));
    ScheduledExecutorService real = Executors.newSingleThreadScheduledExecutor();
    LocalFile source = LocalFile.load(file, MESH_TEST, index);
    CompletableFuture<Void> closed = new CompletableFuture<>();
    index.onPublish(
        (former, next) -> {
          source.close();
          closed.complete(null);
        });
    source.follow(real);

    write(workload("b"));

    closed.get(30, TimeUnit.SECONDS);
    real.shutdown();
    assertThat(real.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(watchThreads()).isZero();
  }

  private CompletableFuture<Void> published(String uid) {
    CompletableFuture<Void> published = new CompletableFuture<>();
    index.onPublish(
        (former, next) -> {
          if (next.workload(uid) != null) {
            published.complete(null);
          }
        });
    return published;
  }

  private static long watchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("heddle-local-file"))
        .count();
  }

  private static String workload(String uid) {
    return """
        workloads:
        - {uid: %s, namespace: shop, workloadIps: [], services: {}}
        """
        .formatted(uid);
  }

  private static String badWorkload(String uid) {
    return workload(uid).replace("services", "protocol: hbone, services");
  }

  private void write(String content) throws IOException {
    Files.writeString(file, content);
  }

  private Iterable<String> uids() {
    return index.current().workloads().stream().map(Workload::uid).toList();
  }
}
