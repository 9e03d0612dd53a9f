// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentityException.NotIssued;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.ca.CsrFactory;
import io.heddle.identity.internal.ca.KeyPairs;
import io.heddle.identity.internal.proto.IstioCertificateRequest;
import io.heddle.identity.internal.proto.IstioCertificateResponse;
import io.heddle.identity.internal.proto.IstioCertificateServiceGrpc;
import io.heddle.identity.internal.rotation.RenewalLoop.Issued;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * One request to Istio's certificate authority, with a new key each time. The key is kept aside
 * until its certificate has been found to be good.
 *
 * <p>A connection for each request: they are half a day apart, a whole cluster need not hold idle
 * ones, and each meets the roots as they are then.
 */
final class CertificateSigning implements Callable<Issued> {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** A chain of ten certificates and all roots of a large mesh fit many times. */
  private static final int MOST_BYTES = 4 << 20;

  private static final byte[] NO_TOKEN = {};

  private final ControlPlane authority;
  private final SpiffeId id;
  private final Duration lifetime;
  private final SigningAnswer answer;
  private final SecureRandom random = new SecureRandom();

  CertificateSigning(ControlPlane authority, SpiffeId id, Duration lifetime, SigningAnswer answer) {
    this.authority = authority;
    this.id = id;
    this.lifetime = lifetime;
    this.answer = answer;
  }

  @Override
  public Issued call() {
    KeyPair pair = KeyPairs.p256(random);
    IstioCertificateRequest request =
        IstioCertificateRequest.newBuilder()
            .setCsr(CsrFactory.pem(id, pair))
            .setValidityDuration(lifetime.toSeconds())
            .build();
    return answer.accept(ask(request), pair);
  }

  private List<String> ask(IstioCertificateRequest request) {
    byte[] before = fingerprint();
    try {
      return send(request);
    } catch (StatusRuntimeException e) {
      // The token may have been replaced between its reading and its being judged.
      if (e.getStatus().getCode() != Status.Code.UNAUTHENTICATED || isToken(before)) {
        throw explained(e);
      }
    }
    try {
      return send(request);
    } catch (StatusRuntimeException e) {
      throw explained(e);
    }
  }

  private byte[] fingerprint() {
    return authority.token().map(ServiceAccountToken::fingerprint).orElse(NO_TOKEN);
  }

  private boolean isToken(byte[] before) {
    return MessageDigest.isEqual(before, fingerprint());
  }

  private List<String> send(IstioCertificateRequest request) {
    ManagedChannel channel = authority.connect();
    try {
      IstioCertificateResponse response =
          IstioCertificateServiceGrpc.newBlockingStub(channel)
              .withMaxInboundMessageSize(MOST_BYTES)
              .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
              .createCertificate(request);
      return response.getCertChainList();
    } finally {
      channel.shutdownNow();
    }
  }

  private IdentityException explained(StatusRuntimeException failure) {
    if (failure.getStatus().getCause() instanceof IdentityException local) {
      return local;
    }
    return new NotIssued(
        problem(failure.getStatus().getCode()),
        "no certificate for " + id + " from " + authority.explain(failure.getStatus()),
        failure);
  }

  /** Control-plane reference 4.3. */
  private static NotIssued.Problem problem(Status.Code code) {
    return switch (code) {
      case UNAUTHENTICATED, PERMISSION_DENIED -> NotIssued.Problem.UNAUTHENTICATED;
      case INVALID_ARGUMENT, UNIMPLEMENTED -> NotIssued.Problem.REQUEST_REFUSED;
      default -> NotIssued.Problem.UNAVAILABLE;
    };
  }
}
