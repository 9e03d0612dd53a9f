// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.ca;

import com.google.protobuf.Value;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.fault.Conduct;
import io.heddle.dev.internal.fault.Deviation;
import io.heddle.dev.internal.token.Caller;
import io.heddle.dev.internal.token.CallerCheck;
import io.heddle.dev.internal.token.TokenRejectedException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.internal.proto.IstioCertificateRequest;
import io.heddle.identity.internal.proto.IstioCertificateResponse;
import io.heddle.identity.internal.proto.IstioCertificateServiceGrpc.IstioCertificateServiceImplBase;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Certifies callers who prove themselves, with istiod's codes (control-plane reference 4.3). */
public final class CertificateService extends IstioCertificateServiceImplBase {

  private static final String IMPERSONATED = "ImpersonatedIdentity";

  private final CertificateAuthority authority;
  private final CallerCheck callers;
  private final Conduct conduct;
  private final TrustDomain trustDomain;
  private final Impersonation impersonation;
  private final Supplier<Catalog> catalog;

  /** Certifies by an authority; trusted accounts may ask for others of the catalog. */
  public CertificateService(
      CertificateAuthority authority,
      CallerCheck callers,
      Conduct conduct,
      TrustDomain trustDomain,
      Set<String> trustedAccounts,
      Supplier<Catalog> catalog) {
    this.authority = authority;
    this.callers = callers;
    this.conduct = conduct;
    this.trustDomain = trustDomain;
    this.impersonation = new Impersonation(trustedAccounts, trustDomain);
    this.catalog = catalog;
  }

  @Override
  public void createCertificate(
      IstioCertificateRequest request, StreamObserver<IstioCertificateResponse> responses) {
    if (conduct.is(Deviation.NO_ANSWER) || conduct.is(Deviation.CERTIFICATES_UNANSWERED)) {
      return;
    }
    try {
      responses.onNext(
          IstioCertificateResponse.newBuilder().addAllCertChain(answer(request)).build());
      responses.onCompleted();
    } catch (StatusException refused) {
      responses.onError(refused);
    }
  }

  private List<String> answer(IstioCertificateRequest request) throws StatusException {
    SpiffeId id = identity(request);
    if (conduct.is(Deviation.NO_CERTIFICATES)) {
      throw Status.INTERNAL.withDescription("CA not ready").asException();
    }
    if (conduct.is(Deviation.EMPTY_CHAIN)) {
      return List.of();
    }
    if (conduct.is(Deviation.WRONG_IDENTITY)) {
      id = SpiffeId.workload(trustDomain, "somewhere", "somebody-else");
    }
    return authority.sign(request.getCsr(), request.getValidityDuration(), id);
  }

  private SpiffeId identity(IstioCertificateRequest request) throws StatusException {
    Caller caller;
    try {
      caller = callers.current();
    } catch (TokenRejectedException e) {
      throw Status.UNAUTHENTICATED
          .withDescription("request authenticate failure: " + e.getMessage())
          .asException();
    }
    Value impersonated =
        request.getMetadata().getFieldsOrDefault(IMPERSONATED, Value.getDefaultInstance());
    if (impersonated.getStringValue().isEmpty()) {
      return SpiffeId.workload(trustDomain, caller.namespace(), caller.serviceAccount());
    }
    return impersonation
        .allowed(caller, impersonated.getStringValue(), catalog.get())
        .orElseThrow(
            () ->
                Status.UNAUTHENTICATED
                    .withDescription("request impersonation authentication failure")
                    .asException());
  }
}
