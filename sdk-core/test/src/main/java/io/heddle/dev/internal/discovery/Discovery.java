// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.grpc.Status;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.catalog.CatalogChange;
import io.heddle.dev.internal.fault.Conduct;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** What all streams share: the catalog, who listens, and what was rejected. */
public final class Discovery {

  /**
   * A client's refusal of resources.
   *
   * @param clientId its node id
   * @param typeUrl the type
   * @param message what it said about it
   */
  public record Rejected(String clientId, String typeUrl, String message) {}

  private final Conduct conduct;
  private final Clock clock;
  private final BiConsumer<Duration, Runnable> timer;
  private final Debounce debounce;
  private final Set<DiscoveryStream> streams = new LinkedHashSet<>();
  private final List<Rejected> rejections = new ArrayList<>();
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private Catalog catalog;
  private long pushes;

  /**
   * Discovery of a catalog, without clients.
   *
   * @param catalog the first catalog
   * @param conduct how it misbehaves
   * @param clock dates the versions
   * @param timer runs a task on the control plane's thread after a while
   * @param quiet how long nothing must change before a push
   * @param longest how long a change waits for that at most
   * @param nanoTime the time that is measured by
   */
  public Discovery(
      Catalog catalog,
      Conduct conduct,
      Clock clock,
      BiConsumer<Duration, Runnable> timer,
      Duration quiet,
      Duration longest,
      LongSupplier nanoTime) {
    this.catalog = catalog;
    this.conduct = conduct;
    this.clock = clock;
    this.timer = timer;
    this.debounce = new Debounce(quiet, longest, nanoTime, timer, this::push);
  }

  /** Replaces the catalog; what is different is pushed. */
  public void publish(Catalog next) {
    CatalogChange change = catalog.to(next);
    catalog = next;
    if (!change.isEmpty()) {
      debounce.add(change);
    }
  }

  /** Sends what istiod repeats after a change of mesh-wide settings. */
  public void pushForced() {
    pushes++;
    List.copyOf(streams).forEach(DiscoveryStream::pushForced);
  }

  private void push(CatalogChange change) {
    pushes++;
    List.copyOf(streams).forEach(stream -> stream.push(change));
    settle();
  }

  /** Ends all streams with a status. */
  public void endStreams(Status status) {
    List.copyOf(streams).forEach(stream -> stream.end(status));
  }

  /** Completes when all changes are pushed and all clients have answered what they were sent. */
  public CompletableFuture<Void> inSync() {
    CompletableFuture<Void> future = new CompletableFuture<>();
    waiting.add(future);
    settle();
    return future;
  }

  /** The node ids of the clients with an open stream. */
  public List<String> clients() {
    return streams.stream().map(DiscoveryStream::clientId).toList();
  }

  /** What clients have rejected so far, oldest first. */
  public List<Rejected> rejections() {
    return List.copyOf(rejections);
  }

  void settle() {
    if (!debounce.isPending() && streams.stream().allMatch(DiscoveryStream::isInSync)) {
      List.copyOf(waiting).forEach(future -> future.complete(null));
      waiting.clear();
    }
  }

  void joined(DiscoveryStream stream) {
    streams.add(stream);
  }

  void left(DiscoveryStream stream) {
    streams.remove(stream);
    settle();
  }

  void rejected(String clientId, String typeUrl, String message) {
    rejections.add(new Rejected(clientId, typeUrl, message));
  }

  void later(Duration delay, Runnable task) {
    timer.accept(delay, task);
  }

  /** What is announced now. */
  public Catalog catalog() {
    return catalog;
  }

  Conduct conduct() {
    return conduct;
  }

  String version() {
    return clock.instant() + "/" + pushes;
  }

  String nextNonce() {
    return version() + UUID.randomUUID();
  }
}
