// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.heddle.identity.internal.proto.IstioCertificateRequest;
import io.heddle.identity.internal.proto.IstioCertificateResponse;
import io.heddle.identity.internal.proto.IstioCertificateServiceGrpc.IstioCertificateServiceImplBase;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.bouncycastle.asn1.x509.KeyUsage;

/**
 * Istio's certificate authority over TLS on loopback. It knows callers by their token, checks the
 * cluster and the shape of requests as the strictest signer does, and can be told to fail.
 */
public final class TestIstioCa implements AutoCloseable {

  /** The name in its certificate. */
  public static final String HOST = "istiod.istio-system.svc";

  private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
  private static final Metadata.Key<String> CLUSTER = key("clusterid");
  private static final Duration MOST = Duration.ofDays(90);

  private final TestAuthority mesh;
  private final Server server;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile Predicate<String> tokens = token -> true;
  private volatile Signer signer = this::sign;

  /** What a caller sent. */
  public record Asked(
      String token, Metadata headers, TestSigningRequest request, Duration lifetime) {}

  /** Answers a request that was found to be in order; throws a status to fail it. */
  @FunctionalInterface
  public interface Signer {
    List<String> sign(TestSigningRequest request, Duration lifetime);
  }

  /** An authority that signs with {@code mesh} and whose server is certified by {@code web}. */
  public TestIstioCa(TestAuthority mesh, TestAuthority web) {
    this.mesh = mesh;
    this.server = listen(web, 0);
  }

  private Server listen(TestAuthority web, int port) {
    IssuedCertificate own = web.leaf().dns(HOST).issue();
    try {
      SslContext tls =
          GrpcSslContexts.configure(
                  SslContextBuilder.forServer(own.privateKey(), own.chain()), SslProvider.JDK)
              .build();
      return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
          .sslContext(tls)
          .addService(ServerInterceptors.intercept(new Service(), new Callers()))
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is; the certificate is for {@link #HOST}. */
  public String address() {
    return "https://127.0.0.1:" + server.getPort();
  }

  /** Which tokens it takes. */
  public void tokens(Predicate<String> accepted) {
    tokens = accepted;
  }

  /** Who answers from now on. */
  public void signer(Signer newSigner) {
    signer = newSigner;
  }

  /** Everything is signed from now on. */
  public void works() {
    signer = this::sign;
  }

  /** Every request ends with this status from now on. */
  public void fails(Status status) {
    signer =
        (request, lifetime) -> {
          throw status.asRuntimeException();
        };
  }

  /** What has been asked so far, with whatever outcome. */
  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** Leaf, intermediates and root, one element each, as the built-in signer answers. */
  public List<String> sign(TestSigningRequest request, Duration lifetime) {
    if (lifetime.compareTo(MOST) > 0) {
      throw Status.INVALID_ARGUMENT.withDescription("requested TTL too long").asRuntimeException();
    }
    return chain(leaf(request).notAfter(mesh.clock().instant().plus(lifetime)).issue(), mesh);
  }

  /** What the built-in signer would certify. */
  public CertificateRecipe leaf(TestSigningRequest request) {
    return mesh.leaf()
        .subject("")
        .uri(request.id().toString())
        .criticalNames()
        .keyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment)
        .key(new KeyPair(request.key(), null))
        .notBefore(mesh.clock().instant().minus(Duration.ofMinutes(2)));
  }

  /** The elements of an answer. */
  public static List<String> chain(IssuedCertificate leaf, TestAuthority root) {
    List<String> elements =
        new CopyOnWriteArrayList<>(leaf.chain().stream().map(PemTexts::certificate).toList());
    elements.add(PemTexts.certificate(root.certificate()));
    return elements;
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static final Context.Key<Metadata> HEADERS = Context.key("headers");

  /** Lets the service see who calls. */
  private static final class Callers implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      return Contexts.interceptCall(
          Context.current().withValue(HEADERS, headers), call, headers, next);
    }
  }

  private final class Service extends IstioCertificateServiceImplBase {
    @Override
    public void createCertificate(
        IstioCertificateRequest request, StreamObserver<IstioCertificateResponse> answer) {
      try {
        List<String> chain = answer(request, HEADERS.get());
        answer.onNext(IstioCertificateResponse.newBuilder().addAllCertChain(chain).build());
        answer.onCompleted();
      } catch (RuntimeException e) {
        answer.onError(e);
      }
    }

    private List<String> answer(IstioCertificateRequest request, Metadata headers) {
      String bearer = String.valueOf(headers.get(AUTHORIZATION));
      String token = bearer.startsWith("Bearer ") ? bearer.substring("Bearer ".length()) : "";
      TestSigningRequest csr;
      try {
        csr = TestSigningRequest.parse(request.getCsr());
      } catch (IllegalArgumentException e) {
        throw Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
      }
      Duration lifetime = Duration.ofSeconds(request.getValidityDuration());
      asked.add(new Asked(token, headers, csr, lifetime));
      boolean known = "Kubernetes".equals(headers.get(CLUSTER));
      if (token.isEmpty() || !known || !tokens.test(token) || request.hasMetadata()) {
        throw Status.UNAUTHENTICATED
            .withDescription("request authenticate failure")
            .asRuntimeException();
      }
      return signer.sign(csr, lifetime);
    }
  }
}
