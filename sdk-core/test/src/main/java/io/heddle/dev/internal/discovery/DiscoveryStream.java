// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.catalog.CatalogChange;
import io.heddle.dev.internal.fault.Deviation;
import io.heddle.dev.internal.token.Caller;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** One client's stream. */
final class DiscoveryStream implements StreamObserver<DeltaDiscoveryRequest> {

  /** istiod's order within one push (control-plane reference 2.4). */
  private static final List<String> PUSH_ORDER = List.of(TypeUrls.ADDRESS, TypeUrls.AUTHORIZATION);

  /** A type that the stream watches, and the response to it that is not acknowledged yet. */
  private static final class Subscription {
    final Watch watch;
    String nonce = "";
    boolean awaited;

    Subscription(Watch watch) {
      this.watch = watch;
    }
  }

  private final Discovery discovery;
  private final Caller caller;
  private final StreamObserver<DeltaDiscoveryResponse> responses;
  private final Map<String, Subscription> subscriptions = new HashMap<>();
  private @Nullable Proxy proxy;
  private boolean ended;

  DiscoveryStream(
      Discovery discovery, Caller caller, StreamObserver<DeltaDiscoveryResponse> responses) {
    this.discovery = discovery;
    this.caller = caller;
    this.responses = responses;
  }

  @Override
  public void onNext(DeltaDiscoveryRequest request) {
    boolean isHealth = request.getTypeUrl().equals(TypeUrls.HEALTH);
    if (ended || isHealth || discovery.conduct().is(Deviation.NO_ANSWER)) {
      return;
    }
    try {
      Proxy client = proxy;
      if (client == null) {
        client = Proxy.admit(request.getNode(), caller);
        proxy = client;
        discovery.joined(this);
      }
      handle(request, client);
    } catch (StatusException refused) {
      end(refused.getStatus());
    }
    discovery.settle();
  }

  private void handle(DeltaDiscoveryRequest request, Proxy client) throws StatusException {
    Subscription known = subscriptions.get(request.getTypeUrl());
    if (request.hasErrorDetail()) {
      rejected(request, client, known);
    } else if (known == null) {
      Subscription subscription = new Subscription(watch(request.getTypeUrl(), client));
      subscriptions.put(request.getTypeUrl(), subscription);
      send(
          request.getTypeUrl(),
          subscription,
          subscription.watch.first(request, discovery.catalog()));
    } else if (request.getResponseNonce().isEmpty()
        || request.getResponseNonce().equals(known.nonce)) {
      if (!request.getResponseNonce().isEmpty()) {
        known.awaited = false;
      }
      Answer answer = known.watch.again(request, discovery.catalog());
      if (answer != null) {
        send(request.getTypeUrl(), known, answer);
      }
    }
  }

  /** Noted, and nothing is sent again until it changes (control-plane reference 2.5). */
  private void rejected(DeltaDiscoveryRequest request, Proxy client, @Nullable Subscription known)
      throws StatusException {
    if (known == null) {
      throw Status.INTERNAL
          .withDescription("a rejection of " + request.getTypeUrl() + ", which was never asked for")
          .asException();
    }
    if (request.getResponseNonce().equals(known.nonce)) {
      known.awaited = false;
    }
    discovery.rejected(client.id(), request.getTypeUrl(), request.getErrorDetail().getMessage());
  }

  private static Watch watch(String typeUrl, Proxy client) throws StatusException {
    return switch (typeUrl) {
      case TypeUrls.ADDRESS -> new AddressWatch(client.node());
      case TypeUrls.AUTHORIZATION -> new AuthorizationWatch();
      default -> throw Status.UNKNOWN.withDescription("no generator for " + typeUrl).asException();
    };
  }

  void push(CatalogChange change) {
    answerAll((watch, catalog) -> watch.pushed(change, catalog));
  }

  void pushForced() {
    answerAll(Watch::forced);
  }

  private void answerAll(BiFunction<Watch, Catalog, @Nullable Answer> answering) {
    for (String typeUrl : PUSH_ORDER) {
      Subscription subscription = subscriptions.get(typeUrl);
      if (subscription != null) {
        Answer answer = answering.apply(subscription.watch, discovery.catalog());
        if (answer != null) {
          send(typeUrl, subscription, answer);
        }
      }
    }
  }

  private void send(String typeUrl, Subscription subscription, Answer answer) {
    subscription.awaited = true;
    Duration delay = discovery.conduct().delay();
    if (delay.isZero()) {
      write(typeUrl, subscription, answer);
    } else {
      discovery.later(delay, () -> write(typeUrl, subscription, answer));
    }
  }

  private void write(String typeUrl, Subscription subscription, Answer answer) {
    if (ended) {
      return;
    }
    subscription.nonce = discovery.nextNonce();
    responses.onNext(
        discovery
            .conduct()
            .spoiled(
                DeltaDiscoveryResponse.newBuilder()
                    .setTypeUrl(typeUrl)
                    .setSystemVersionInfo(discovery.version())
                    .setNonce(subscription.nonce)
                    .addAllResources(answer.resources())
                    .addAllRemovedResources(answer.removed())
                    .build()));
    if (discovery.conduct().is(Deviation.STREAMS_END)) {
      end(Status.UNAVAILABLE.withDescription("transport is closing"));
    }
  }

  /** Whether the client has answered all that it was sent. */
  boolean isInSync() {
    return subscriptions.values().stream().noneMatch(subscription -> subscription.awaited);
  }

  /** The node id that the client gave; empty before its first request. */
  String clientId() {
    return proxy == null ? "" : proxy.id();
  }

  /** Ends the stream from this side. */
  void end(Status status) {
    if (!ended) {
      left();
      responses.onError(status.asException());
    }
  }

  @Override
  public void onError(Throwable gone) {
    left();
  }

  @Override
  public void onCompleted() {
    if (!ended) {
      left();
      responses.onCompleted();
    }
  }

  private void left() {
    ended = true;
    discovery.left(this);
  }
}
