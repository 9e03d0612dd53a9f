// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.internal.rotation.ListenerThreads;
import io.heddle.identity.internal.rotation.PublishedIdentity;
import io.heddle.identity.internal.rotation.RenewalLoop;
import io.heddle.identity.internal.rotation.RenewalThread;
import io.heddle.identity.internal.rotation.RetryPace;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An identity from a {@link DevelopmentCa}, renewed with a fresh key around half of its life. The
 * first one is there when {@link Builder#build()} returns.
 *
 * <p>Costs one daemon thread, or none where a scheduler is passed in.
 */
public final class DevelopmentSource implements SvidSource {

  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

  private final PublishedIdentity identity;
  private final RenewalLoop loop;
  private final @Nullable ScheduledExecutorService ownScheduler;

  private DevelopmentSource(Builder builder) {
    String name = "development source of " + builder.id;
    TrustBundles bundles = TrustBundles.of(builder.ca.bundle());
    ScheduledExecutorService given = builder.scheduler;
    ScheduledExecutorService scheduler = given == null ? RenewalThread.create() : given;
    this.ownScheduler = given == null ? scheduler : null;
    this.identity = new PublishedIdentity(name, builder.clock, builder.listenerExecutor);
    this.loop =
        new RenewalLoop(
            name,
            identity,
            () -> new RenewalLoop.Issued(builder.ca.issue(builder.id, builder.lifetime), bundles),
            RetryPace.NEARBY,
            builder.clock,
            scheduler,
            builder.random);
  }

  /**
   * A source for one identity.
   *
   * @param ca who issues it
   * @param id a workload of the authority's trust domain
   * @return a builder
   * @throws IllegalArgumentException if the authority cannot certify the id
   */
  public static Builder builder(DevelopmentCa ca, SpiffeId id) {
    return new Builder(ca, id);
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
    loop.close();
    identity.close();
    if (ownScheduler != null) {
      ownScheduler.shutdownNow();
    }
  }

  /** Collects the settings of a {@link DevelopmentSource}. Not for use by several threads. */
  public static final class Builder {

    private final DevelopmentCa ca;
    private final SpiffeId id;
    private Duration lifetime = DEFAULT_LIFETIME;
    private Clock clock = Clock.systemUTC();
    private Executor listenerExecutor = ListenerThreads.shared();
    private RandomGenerator random = RandomGenerator.getDefault();
    private @Nullable ScheduledExecutorService scheduler;

    private Builder(DevelopmentCa ca, SpiffeId id) {
      ca.requireOwn(id);
      this.ca = ca;
      this.id = id;
    }

    /**
     * How long each certificate is valid.
     *
     * @param newLifetime one hour by default, at least one second
     * @return this builder
     * @throws IllegalArgumentException if it is below a second
     */
    public Builder lifetime(Duration newLifetime) {
      DevelopmentCa.requireLeafLifetime(newLifetime);
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
     * Where the renewal runs. It stays the caller's: closing the source leaves it running.
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
     * What spreads the renewals of many sources.
     *
     * @param newRandom a generator seeded by itself by default
     * @return this builder
     */
    public Builder random(RandomGenerator newRandom) {
      this.random = newRandom;
      return this;
    }

    /**
     * Starts the source. A failure of the authority is not thrown: the source retries, and its
     * {@linkplain SvidSource#health() health} says why.
     *
     * @return the source
     */
    public DevelopmentSource build() {
      DevelopmentSource source = new DevelopmentSource(this);
      source.loop.startHere();
      return source;
    }
  }
}
