// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.internal.tls.SpiffeTrust;
import io.heddle.identity.internal.tls.SvidKeys;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.CertificateVerifier;
import io.netty.internal.tcnative.SSL;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;

/**
 * BoringSSL: one context for each role, for good. What differs from handshake to handshake is asked
 * of the key and trust managers, so rotation makes no context.
 */
final class BoringSslEngines implements TlsEngines {

  /** No honest chain comes near; the engine stops reading a handshake message beyond it. */
  private static final int MAX_CERTIFICATE_BYTES = 64 * 1024;

  private final SslContext client;
  private final SslContext server;
  private final Executor executor;

  BoringSslEngines(SvidKeys keys, SpiffeTrust trust, Executor executor) throws SSLException {
    this.executor = executor;
    this.client =
        configure(SslContextBuilder.forClient().keyManager(keys), trust)
            // SPIFFE certificates name no host; the trust manager compares ids instead.
            .endpointIdentificationAlgorithm(null)
            .build();
    this.server =
        configure(SslContextBuilder.forServer(keys), trust).clientAuth(ClientAuth.REQUIRE).build();
    ((OpenSslSessionContext) client.sessionContext()).setSessionCacheEnabled(false);
    ((OpenSslSessionContext) server.sessionContext()).setSessionCacheEnabled(false);
  }

  private static SslContextBuilder configure(SslContextBuilder builder, SpiffeTrust trust) {
    return builder
        .trustManager(trust.refusingBy(BoringSslEngines::badCertificate))
        .sslProvider(SslProvider.OPENSSL_REFCNT)
        .protocols(VERSION)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                ALPN))
        // Key choice and path validation then run on the executor, not on the event loop.
        .option(OpenSslContextOption.USE_TASKS, true)
        .option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, MAX_CERTIFICATE_BYTES);
  }

  /** Without a code of its own, every refusal would reach the peer as an internal error of ours. */
  private static CertificateException badCertificate(CertificateException refusal) {
    return new OpenSslCertificateException(
        refusal.getMessage(), refusal, CertificateVerifier.X509_V_ERR_CERT_REJECTED);
  }

  /** Why BoringSSL cannot be used here; empty if it can. */
  static Optional<String> unavailable() {
    if (!OpenSsl.isAvailable()) {
      return Optional.of(String.valueOf(OpenSsl.unavailabilityCause()));
    }
    // Other builds of tcnative link OpenSSL, which resumes sessions by other rules.
    String version = OpenSsl.versionString();
    return version.contains("BoringSSL")
        ? Optional.empty()
        : Optional.of("the native library is " + version);
  }

  @Override
  public SslHandler client(ByteBufAllocator allocator) {
    return client.newHandler(allocator, executor);
  }

  @Override
  public SslHandler server(ByteBufAllocator allocator) {
    SslHandler handler = server.newHandler(allocator, executor);
    // Netty switches tickets on again in every TLS 1.3 engine, whatever the context says; a peer
    // that resumes with one would skip validation, even after its anchor was withdrawn.
    SSL.setOptions(
        ((ReferenceCountedOpenSslEngine) handler.engine()).sslPointer(), SSL.SSL_OP_NO_TICKET);
    return handler;
  }

  @Override
  public String description() {
    String version = OpenSsl.class.getPackage().getImplementationVersion();
    return "BoringSSL (Netty" + (version == null ? "" : " " + version) + ")";
  }

  /** Engines hold their context, so those still alive are not hurt. */
  @Override
  public void close() {
    ReferenceCountUtil.release(client);
    ReferenceCountUtil.release(server);
  }
}
