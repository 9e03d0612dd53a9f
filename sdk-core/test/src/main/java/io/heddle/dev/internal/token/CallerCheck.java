// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.token;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a call says about its caller, for the service to judge: istiod answers some calls
 * before it looks who calls (control-plane reference 1.3).
 */
public final class CallerCheck implements ServerInterceptor {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> CLUSTER =
      Metadata.Key.of("clusterid", Metadata.ASCII_STRING_MARSHALLER);
  private static final String BEARER = "Bearer ";

  private record Credentials(@Nullable String authorization, @Nullable String cluster) {}

  private static final Context.Key<Credentials> CREDENTIALS = Context.key("credentials");

  private final TokenIssuer tokens;
  private final String clusterId;

  /** Checks the tokens of an issuer, in the name of a cluster. */
  public CallerCheck(TokenIssuer tokens, String clusterId) {
    this.tokens = tokens;
    this.clusterId = clusterId;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Credentials credentials = new Credentials(headers.get(AUTHORIZATION), headers.get(CLUSTER));
    return Contexts.interceptCall(
        Context.current().withValue(CREDENTIALS, credentials), call, headers, next);
  }

  /**
   * Who makes the call at hand.
   *
   * @throws TokenRejectedException if the call does not prove it
   */
  public Caller current() throws TokenRejectedException {
    Credentials credentials = CREDENTIALS.get();
    String authorization = credentials == null ? null : credentials.authorization();
    if (credentials == null || authorization == null || !authorization.startsWith(BEARER)) {
      throw new TokenRejectedException("the call carries no bearer token");
    }
    String cluster = credentials.cluster();
    if (cluster != null && !cluster.equals(clusterId)) {
      throw new TokenRejectedException(
          "the cluster '" + cluster + "' is unknown here (clusterid; expected: " + clusterId + ")");
    }
    return tokens.verify(authorization.substring(BEARER.length()));
  }
}
