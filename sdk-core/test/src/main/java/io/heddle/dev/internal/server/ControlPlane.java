// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.server;

import io.grpc.Status;
import io.heddle.dev.internal.ca.CertificateAuthority;
import io.heddle.dev.internal.ca.CertificateService;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.discovery.Discovery;
import io.heddle.dev.internal.discovery.DiscoveryService;
import io.heddle.dev.internal.fault.Conduct;
import io.heddle.dev.internal.token.Caller;
import io.heddle.dev.internal.token.CallerCheck;
import io.heddle.dev.internal.token.TokenIssuer;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.LocalConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Discovery, certificates and tokens behind one port, on one thread. */
public final class ControlPlane implements AutoCloseable {

  /** istiod's names, and the one that a client on this machine can resolve. */
  private static final List<String> SERVER_NAMES =
      List.of("localhost", "istiod.istio-system.svc", "istio-pilot.istio-system.svc");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * What a control plane is made with.
   *
   * @param clock dates certificates, tokens and versions
   * @param trustDomain of everybody
   * @param clusterId of everybody
   * @param quiet how long nothing must change before a push
   * @param longest how long a change waits for that at most
   * @param signerLifetime how long the intermediate certificate lives
   * @param certificateLifetime what a certificate lives at most; null for istiod's rules only
   * @param connectionAge when connections are told to go away; null for never
   * @param trustedAccounts who may have certificates in others' names, as namespace/account
   */
  public record Settings(
      Clock clock,
      TrustDomain trustDomain,
      String clusterId,
      Duration quiet,
      Duration longest,
      Duration signerLifetime,
      @Nullable Duration certificateLifetime,
      @Nullable Duration connectionAge,
      Set<String> trustedAccounts) {}

  private final Conduct conduct = new Conduct();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread named = new Thread(task, "heddle-local-control-plane");
            named.setDaemon(true);
            return named;
          });
  private final TokenIssuer tokens;
  private final CertificateAuthority authority;
  private final Discovery discovery;
  private final Listener listener;

  private ControlPlane(Settings settings, LocalConfig state) {
    tokens = new TokenIssuer(settings.clock());
    authority =
        new CertificateAuthority(
            settings.clock(), settings.signerLifetime(), settings.certificateLifetime());
    discovery =
        new Discovery(
            Catalog.of(state),
            conduct,
            settings.clock(),
            this::later,
            settings.quiet(),
            settings.longest(),
            System::nanoTime);
    CallerCheck callers = new CallerCheck(tokens, settings.clusterId());
    listener =
        new Listener(
            List.of(
                new DiscoveryService(discovery, callers),
                new CertificateService(
                    authority,
                    callers,
                    conduct,
                    settings.trustDomain(),
                    settings.trustedAccounts(),
                    discovery::catalog)),
            callers,
            thread,
            settings.connectionAge());
  }

  /** Makes a control plane that listens. */
  public static ControlPlane start(Settings settings, LocalConfig state) {
    ControlPlane plane = new ControlPlane(settings, state);
    plane.start();
    return plane;
  }

  /** Listens again, on the same port. */
  public void start() {
    listener.start(call(() -> authority.server(SERVER_NAMES)));
  }

  /** Ends all connections and listens no more. */
  public void stop() {
    listener.stop();
  }

  /** Tells all clients by GOAWAY to connect again. */
  public void goAway() {
    listener.goAway(call(() -> authority.server(SERVER_NAMES)));
  }

  /** Where it listens, on 127.0.0.1. */
  public int port() {
    return listener.port();
  }

  /** Whether it listens. */
  public boolean isListening() {
    return listener.isListening();
  }

  /** Replaces what is announced; what is different is pushed. */
  public void publish(LocalConfig state) {
    Catalog next = Catalog.of(state);
    run(() -> discovery.publish(next));
  }

  /** Repeats what istiod repeats after a change of mesh-wide settings. */
  public void pushForced() {
    run(discovery::pushForced);
  }

  /** Ends all streams as a connection that breaks does. */
  public void endStreams() {
    run(() -> discovery.endStreams(Status.UNAVAILABLE.withDescription("transport is closing")));
  }

  /** Completes when everything is pushed and answered by every client. */
  public CompletableFuture<Void> inSync() {
    return call(discovery::inSync);
  }

  /** The node ids of the clients with an open stream. */
  public List<String> clients() {
    return call(discovery::clients);
  }

  /** What clients have rejected so far. */
  public List<Discovery.Rejected> rejections() {
    return call(discovery::rejections);
  }

  /** How it misbehaves. */
  public Conduct conduct() {
    return conduct;
  }

  /** Signs below a new root from now on. */
  public void rotateRoot() {
    run(authority::rotateRoot);
  }

  /** The roots that a client has to trust, in PEM. */
  public String rootsPem() {
    return call(authority::rootsPem);
  }

  /** A token that proves the caller. */
  public String token(Caller caller, String audience, Duration lifetime) {
    return tokens.issue(caller, audience, lifetime);
  }

  @Override
  public void close() {
    listener.close();
    // What gRPC has left to do there may hold buffers.
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the control plane's thread does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void later(Duration delay, Runnable task) {
    var unused = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void run(Runnable task) {
    CompletableFuture.runAsync(task, thread).join();
  }

  private <T> T call(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, thread).join();
  }
}
