// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import io.heddle.identity.IdentityException.TokenUnusable;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Adds the token to every call, read anew each time. A token that cannot be sent fails the call
 * here: without one it would be an anonymous call, whose refusal explains nothing.
 */
final class TokenCredentials extends CallCredentials {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ServiceAccountToken token;
  private final Clock clock;

  TokenCredentials(ServiceAccountToken token, Clock clock) {
    this.token = token;
    this.clock = clock;
  }

  @Override
  public void applyRequestMetadata(
      RequestInfo request, Executor executor, MetadataApplier applier) {
    try {
      executor.execute(() -> apply(applier));
    } catch (RejectedExecutionException e) {
      applier.fail(Status.CANCELLED.withDescription("the caller is shutting down").withCause(e));
    }
  }

  private void apply(MetadataApplier applier) {
    try {
      Metadata headers = new Metadata();
      headers.put(AUTHORIZATION, "Bearer " + token.read(clock.instant()));
      applier.apply(headers);
    } catch (TokenUnusable e) {
      applier.fail(Status.UNAUTHENTICATED.withDescription(e.getMessage()).withCause(e));
    }
  }
}
