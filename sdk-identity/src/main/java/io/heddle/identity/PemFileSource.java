// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.internal.file.CertificateFiles;
import io.heddle.identity.internal.file.FileModes;
import io.heddle.identity.internal.file.FileReader;
import io.heddle.identity.internal.file.FileReload;
import io.heddle.identity.internal.rotation.ListenerThreads;
import io.heddle.identity.internal.rotation.PublishedIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An identity from PEM files that somebody else keeps fresh: cert-manager, spiffe-helper, an Istio
 * agent, or a projected volume of Kubernetes.
 *
 * <p>Files are read when something happens in their directories, and every half minute besides.
 * Files that are missing, half written or do not fit together are never published: the last good
 * identity stays, and after ten seconds {@link #health()} says why. Files that are good already
 * when the source is built are in use when {@link Builder#build()} returns.
 *
 * <pre>{@code
 * SvidSource source =
 *     PemFileSource.builder()
 *         .key(Path.of("/etc/certs/tls.key"))
 *         .chain(Path.of("/etc/certs/tls.crt"))
 *         .roots(Path.of("/etc/certs/ca.crt"))
 *         .build();
 * }</pre>
 *
 * <p>Private keys may be PKCS#8, SEC1 or PKCS#1, not encrypted. Costs one daemon thread, and one of
 * the JDK's for the watching.
 */
public final class PemFileSource implements SvidSource {

  private final PublishedIdentity identity;
  private final FileReload reload;

  private PemFileSource(Builder builder, CertificateFiles files) {
    String name = "certificate files (" + files + ")";
    this.identity = new PublishedIdentity(name, builder.clock, builder.listenerExecutor);
    this.reload =
        new FileReload(
            name,
            identity,
            files,
            new FileReader(files, new FileModes(builder.strictness), builder.opener),
            new FileReload.Timing(builder.pollInterval, builder.quiet, builder.patience),
            builder.clock,
            System::nanoTime);
  }

  /**
   * A source for one set of files.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public IdentitySnapshot current() {
    return identity.current();
  }

  @Override
  public Registration onUpdate(Consumer<IdentitySnapshot> listener) {
    return identity.onUpdate(listener);
  }

  @Override
  public SourceHealth health() {
    return identity.health();
  }

  @Override
  public IdentitySnapshot awaitReady(Duration timeout) {
    return identity.awaitReady(timeout);
  }

  /**
   * How many certificates of the root file could not be read when it was adopted. They are not
   * trusted; the others are.
   *
   * @return the number of certificates left out
   */
  public int skippedRoots() {
    return reload.skippedRoots();
  }

  @Override
  public void close() {
    identity.close();
    reload.close();
  }

  /** Collects the settings of a {@link PemFileSource}. Not for use by several threads. */
  public static final class Builder {

    private static final Duration DEFAULT_POLL = Duration.ofSeconds(30);
    private static final Duration DEFAULT_QUIET = Duration.ofMillis(100);
    private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

    private @Nullable Path key;
    private @Nullable Path chain;
    private @Nullable Path roots;
    private Duration pollInterval = DEFAULT_POLL;
    private Duration quiet = DEFAULT_QUIET;
    private Duration patience = DEFAULT_PATIENCE;
    private FileModes.Strictness strictness = FileModes.Strictness.WARN;
    private Clock clock = Clock.systemUTC();
    private Executor listenerExecutor = ListenerThreads.shared();
    private FileReader.Opener opener = Files::newByteChannel;

    private Builder() {}

    /**
     * The file with the private key.
     *
     * @param file PEM text
     * @return this builder
     */
    public Builder key(Path file) {
      this.key = file;
      return this;
    }

    /**
     * The file with the certificates to present, leaf first.
     *
     * @param file PEM text
     * @return this builder
     */
    public Builder chain(Path file) {
      this.chain = file;
      return this;
    }

    /**
     * One file with the private key and the certificates to present, in place of {@link #key} and
     * {@link #chain}. It is opened once for each reading, so that both always are of one version.
     *
     * @param file PEM text
     * @return this builder
     */
    public Builder credentialBundle(Path file) {
      return key(file).chain(file);
    }

    /**
     * The file with the trust anchors of our own trust domain.
     *
     * @param file PEM text, any number of certificates
     * @return this builder
     */
    public Builder roots(Path file) {
      this.roots = file;
      return this;
    }

    /**
     * How often the files are read although nothing was noticed. Network file systems and some
     * mounts report nothing, so this is how late a rotation may be seen there.
     *
     * @param interval 30 seconds by default
     * @return this builder
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder pollInterval(Duration interval) {
      this.pollInterval = positive("poll interval", interval);
      return this;
    }

    /**
     * Does not use a private key whose file other users can read; by default that is only warned
     * about, because volumes of pods often look so.
     *
     * @return this builder
     */
    public Builder strictPermissions() {
      this.strictness = FileModes.Strictness.REFUSE;
      return this;
    }

    /**
     * The wall clock by which certificates expire.
     *
     * @param newClock the system's by default
     * @return this builder
     */
    public Builder clock(Clock newClock) {
      this.clock = newClock;
      return this;
    }

    /**
     * Where listeners run.
     *
     * @param executor short-lived threads shared by all sources by default
     * @return this builder
     */
    public Builder listenerExecutor(Executor executor) {
      this.listenerExecutor = executor;
      return this;
    }

    /** How long a bad set of files may last before it is reported. */
    Builder patience(Duration newPatience) {
      this.patience = positive("patience", newPatience);
      return this;
    }

    /** How files are opened. */
    Builder opener(FileReader.Opener newOpener) {
      this.opener = newOpener;
      return this;
    }

    /**
     * Reads the files for the first time and starts to watch them. Bad files are not an error here:
     * the source waits for good ones, and its {@linkplain SvidSource#health() health} says why.
     *
     * @return the source
     * @throws IllegalStateException if a file has not been named
     */
    public PemFileSource build() {
      PemFileSource source =
          new PemFileSource(
              this,
              new CertificateFiles(
                  named("key", key), named("chain", chain), named("roots", roots)));
      source.reload.startHere();
      return source;
    }

    private static Path named(String part, @Nullable Path file) {
      if (file == null) {
        throw new IllegalStateException("no file for the " + part + " has been named");
      }
      return file;
    }

    private static Duration positive(String what, Duration duration) {
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException(what + ": " + duration + " (expected: > 0)");
      }
      return duration;
    }
  }
}
