// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.grpc.ManagedChannel;
import io.heddle.internal.state.WorkloadIndex;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Collects what a client of the control plane needs. */
public final class AdsClientBuilder {

  final Supplier<? extends ManagedChannel> channels;
  final ProxyNode node;
  final WorkloadIndex index;
  AdsLimits limits = AdsLimits.DEFAULT;
  boolean onDemand;

  /** The bounds that control-plane reference 2.11 asks for. */
  Duration firstDelay = Duration.ofMillis(10);

  Duration longestDelay = Duration.ofSeconds(30);
  RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
  LongSupplier nanoTime = System::nanoTime;
  @Nullable ScheduledExecutorService scheduler;

  AdsClientBuilder(
      Supplier<? extends ManagedChannel> channels, ProxyNode node, WorkloadIndex index) {
    this.channels = channels;
    this.node = node;
    this.index = index;
  }

  /**
   * Has workloads and services sent only when they are asked for. The control plane then does not
   * announce new endpoints of a service (control-plane reference 2.9); policies are still sent all.
   */
  public AdsClientBuilder onDemand() {
    onDemand = true;
    return this;
  }

  /** What is put up with; {@link AdsLimits#DEFAULT} if not set. */
  public AdsClientBuilder limits(AdsLimits limits) {
    this.limits = limits;
    return this;
  }

  /** The bounds between which the delay before an attempt grows; 10 ms and 30 s if not set. */
  public AdsClientBuilder backoff(Duration first, Duration longest) {
    this.firstDelay = first;
    this.longestDelay = longest;
    return this;
  }

  /** Where delays come from. */
  public AdsClientBuilder random(RandomGenerator random) {
    this.random = random;
    return this;
  }

  /** What tells how long a stream has lived. */
  public AdsClientBuilder nanoTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    return this;
  }

  /** A scheduler of one thread that the client works on; one of its own if not set. */
  public AdsClientBuilder scheduler(ScheduledExecutorService scheduler) {
    this.scheduler = scheduler;
    return this;
  }

  /** Makes the client; nothing happens before {@link AdsClient#start}. */
  public AdsClient build() {
    return new AdsClient(this);
  }
}
