// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.state.WorkloadIndex;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local configuration file as a source of the mesh's state.
 *
 * <p>The first load applies all or throws. Later, a changed file takes the place of what is known
 * in one publication; one that is bad or gone is reported once and changes nothing. A change counts
 * only when the content is the same twice in a row, because an editor may be in the middle of
 * writing it.
 */
public final class LocalFile implements AutoCloseable {

  /** How often the file is looked at in any case: some file systems tell of no changes. */
  static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

  /** How long new content must stay the same. */
  static final Duration SETTLING_TIME = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(LocalFile.class);

  private final Path file;
  private final TrustDomain trustDomain;
  private final WorkloadIndex index;

  /** Guards all that follows; a look at the file may come from several threads. */
  private final ReentrantLock looking = new ReentrantLock();

  private byte[] judged = new byte[0];
  private byte @Nullable [] settling;
  private boolean unreadable;
  private boolean closed;
  private @Nullable String lastError;
  private @Nullable Future<?> polling;
  private @Nullable Future<?> settlement;
  private @Nullable DirectoryWatch watch;

  private LocalFile(Path file, TrustDomain trustDomain, WorkloadIndex index) {
    this.file = file;
    this.trustDomain = trustDomain;
    this.index = index;
  }

  /**
   * Reads the file and applies it.
   *
   * @param file the file
   * @param trustDomain what an empty trust domain in it means
   * @param index where to apply it
   * @throws InvalidLocalConfigException if the file cannot be read or has problems; then nothing is
   *     applied
   */
  public static LocalFile load(Path file, TrustDomain trustDomain, WorkloadIndex index) {
    LocalFile source = new LocalFile(file.toAbsolutePath(), trustDomain, index);
    byte[] content;
    try {
      content = source.read();
    } catch (IOException unreadable) {
      throw source.invalid("the file cannot be read: " + unreadable);
    }
    source.apply(content);
    source.judged = digest(content);
    return source;
  }

  /**
   * Follows the file's changes until closed.
   *
   * @param scheduler where the file is read; it is not closed here
   */
  public void follow(ScheduledExecutorService scheduler) {
    poll(scheduler);
    Path directory = file.getParent();
    if (directory == null) {
      return;
    }
    looking.lock();
    try {
      watch = DirectoryWatch.start(directory, () -> scheduler.execute(() -> look(scheduler)));
    } catch (IOException unwatchable) {
      log.info("{} is looked at every {} only: {}", file, POLL_INTERVAL, unwatchable.toString());
    } finally {
      looking.unlock();
    }
  }

  /** Looks at the file from time to time, and hears of no change in between. */
  void poll(ScheduledExecutorService scheduler) {
    long interval = POLL_INTERVAL.toMillis();
    looking.lock();
    try {
      polling =
          scheduler.scheduleWithFixedDelay(
              () -> look(scheduler), interval, interval, TimeUnit.MILLISECONDS);
    } finally {
      looking.unlock();
    }
  }

  /** Why the file as it is now is not applied; empty when it is. */
  public Optional<String> lastError() {
    looking.lock();
    try {
      return Optional.ofNullable(lastError);
    } finally {
      looking.unlock();
    }
  }

  /** Stops following the file. Nothing is applied after this returns. */
  @Override
  public void close() {
    DirectoryWatch watching;
    looking.lock();
    try {
      closed = true;
      cancel(polling);
      cancel(settlement);
      watching = watch;
    } finally {
      looking.unlock();
    }
    // Without the lock, which the watch's thread may be waiting for.
    if (watching != null) {
      try {
        watching.close();
      } catch (IOException failure) {
        log.debug("The watch on {} did not close cleanly", file, failure);
      }
    }
  }

  private static void cancel(@Nullable Future<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }

  private void look(ScheduledExecutorService scheduler) {
    looking.lock();
    try {
      if (!closed) {
        judge(read(), scheduler);
        unreadable = false;
      }
    } catch (IOException gone) {
      settling = null;
      if (!unreadable) {
        unreadable = true;
        judged = new byte[0];
        lastError = "cannot be read: " + gone;
        log.warn("{} {}; what was read before stays in force", file, lastError);
      }
    } finally {
      looking.unlock();
    }
  }

  private void judge(byte[] content, ScheduledExecutorService scheduler) {
    byte[] digest = digest(content);
    if (Arrays.equals(digest, judged)) {
      settling = null;
    } else if (!Arrays.equals(digest, settling)) {
      settling = digest;
      settlement =
          scheduler.schedule(
              () -> look(scheduler), SETTLING_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } else {
      settling = null;
      judged = digest;
      try {
        apply(content);
        lastError = null;
      } catch (InvalidLocalConfigException invalid) {
        lastError = invalid.getMessage();
        log.warn("{}\nWhat was read before stays in force", lastError);
      }
    }
  }

  private void apply(byte[] content) {
    LocalConfig config = LocalConfig.parse(decode(content), file.toString(), trustDomain);
    index.apply(config.replacement());
    log.info(
        "Applied {}: {} workloads, {} services, {} policies",
        file,
        config.workloads().size(),
        config.services().size(),
        config.policies().size());
    config.warnings().forEach(warning -> log.warn("{}, {}", file, warning));
  }

  private byte[] read() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(YamlText.MAX_CHARACTERS + 1);
      if (content.length > YamlText.MAX_CHARACTERS) {
        throw new IOException("more than " + YamlText.MAX_CHARACTERS + " bytes");
      }
      return content;
    }
  }

  private String decode(byte[] content) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException malformed) {
      throw invalid("the file is not UTF-8 text");
    }
  }

  private InvalidLocalConfigException invalid(String what) {
    return new InvalidLocalConfigException(file.toString(), List.of(new Problem(1, "", what, "")));
  }

  private static byte[] digest(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
