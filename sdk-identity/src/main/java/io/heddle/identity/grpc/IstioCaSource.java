// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.internal.file.FileChanges;
import io.heddle.identity.internal.rotation.ListenerThreads;
import io.heddle.identity.internal.rotation.PublishedIdentity;
import io.heddle.identity.internal.rotation.RenewalLoop;
import io.heddle.identity.internal.rotation.RenewalThread;
import io.heddle.identity.internal.rotation.RetryPace;
import io.heddle.identity.internal.x509.PeerValidator;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An identity from Istio's certificate authority, for the service account that the control plane's
 * token names. It is renewed with a fresh key around half of its life.
 *
 * <p>While the authority is away, the held certificate stays in use until it ends, and the
 * authority is asked again and again: after about a second, then less and less often, at most every
 * 150 seconds, and never too late for the certificate. {@link #health()} says how that goes, and
 * what the authority or the token lacks.
 *
 * <p>New roots of the mesh are part of a new certificate. So when the file with the control plane's
 * own roots changes, which in Istio is the same thing, the renewal comes within a minute.
 *
 * <p>Costs one daemon thread, or none where a scheduler is passed in, and two for the watching of
 * the root file.
 */
public final class IstioCaSource implements SvidSource {

  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(24);

  /** A root rotation reaches every workload at once, and they must not ask at once. */
  private static final Duration ROOTS_SPREAD = Duration.ofSeconds(60);

  /** The kubelet writes a volume in several steps (control-plane reference 1.2). */
  private static final Duration ROOTS_QUIET = Duration.ofSeconds(2);

  private final PublishedIdentity identity;
  private final RenewalLoop loop;
  private final @Nullable FileChanges roots;
  private final @Nullable ScheduledExecutorService ownScheduler;

  private IstioCaSource(Builder builder) {
    String name = "certificate authority " + builder.authority + " for " + builder.id;
    ScheduledExecutorService given = builder.scheduler;
    ScheduledExecutorService scheduler = given == null ? RenewalThread.create() : given;
    this.ownScheduler = given == null ? scheduler : null;
    this.identity = new PublishedIdentity(name, builder.clock, builder.listenerExecutor);
    this.loop =
        new RenewalLoop(
            name,
            identity,
            new CertificateSigning(
                builder.authority,
                builder.id,
                builder.lifetime,
                new SigningAnswer(builder.id, name, new PeerValidator(builder.clock))),
            RetryPace.SHARED_AUTHORITY,
            builder.clock,
            scheduler,
            builder.random);
    RandomGenerator random = builder.random;
    this.roots =
        builder
            .authority
            .roots()
            .file()
            .map(file -> new FileChanges(file, ROOTS_QUIET, () -> hasten(random)))
            .orElse(null);
  }

  private void hasten(RandomGenerator random) {
    loop.renewWithin(Duration.ofMillis(random.nextLong(ROOTS_SPREAD.toMillis())));
  }

  /**
   * A source for one identity.
   *
   * @param authority where certificates are asked for, and with which token
   * @param id what the certificate must say: the identity of the token's service account
   * @return a builder
   * @throws IllegalArgumentException if the id is not of Istio's form
   */
  public static Builder builder(ControlPlane authority, SpiffeId id) {
    return new Builder(authority, id);
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

  @Override
  public void close() {
    if (roots != null) {
      roots.close();
    }
    loop.close();
    identity.close();
    if (ownScheduler != null) {
      ownScheduler.shutdownNow();
    }
  }

  /** Collects the settings of an {@link IstioCaSource}. Not for use by several threads. */
  public static final class Builder {

    private final ControlPlane authority;
    private final SpiffeId id;
    private Duration lifetime = DEFAULT_LIFETIME;
    private Clock clock = Clock.systemUTC();
    private Executor listenerExecutor = ListenerThreads.shared();
    private RandomGenerator random = RandomGenerator.getDefault();
    private @Nullable ScheduledExecutorService scheduler;

    private Builder(ControlPlane authority, SpiffeId id) {
      if (id.namespace().isEmpty() || id.serviceAccount().isEmpty()) {
        throw new IllegalArgumentException(
            "id: " + id + " (expected: spiffe://<trust domain>/ns/<namespace>/sa/<account>)");
      }
      this.authority = authority;
      this.id = id;
    }

    /**
     * How long each certificate shall be valid. The authority may give less.
     *
     * @param newLifetime 24 hours by default, at least a second
     * @return this builder
     * @throws IllegalArgumentException if it is below a second
     */
    public Builder lifetime(Duration newLifetime) {
      if (newLifetime.toSeconds() < 1) {
        throw new IllegalArgumentException("lifetime: " + newLifetime + " (expected: >= 1 s)");
      }
      this.lifetime = newLifetime;
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
     * Where the renewal runs, which occupies one thread for as long as the authority takes to
     * answer, at most twice ten seconds. It stays the caller's: closing the source leaves it
     * running.
     *
     * @param newScheduler a thread of the source's own by default
     * @return this builder
     */
    public Builder scheduler(ScheduledExecutorService newScheduler) {
      this.scheduler = newScheduler;
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

    /**
     * What spreads the renewals and retries of many sources.
     *
     * @param newRandom a generator seeded by itself by default
     * @return this builder
     */
    public Builder random(RandomGenerator newRandom) {
      this.random = newRandom;
      return this;
    }

    /**
     * Starts the source, which asks for its first certificate at once on another thread. A failure
     * is not thrown: the source retries, and its {@linkplain SvidSource#health() health} says why.
     *
     * @return the source
     */
    public IstioCaSource build() {
      IstioCaSource source = new IstioCaSource(this);
      if (source.roots != null) {
        source.roots.start();
      }
      source.loop.start();
      return source;
    }
  }
}
