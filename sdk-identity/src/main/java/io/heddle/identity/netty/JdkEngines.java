// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.internal.tls.SpiffeTrust;
import io.heddle.identity.internal.tls.SvidKeys;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * The JDK's engine, with a context of its own for every connection.
 *
 * <p>Session tickets are good only in the context that issued them, and no setting of JDK 17 stops
 * a server from issuing them. A context that serves one connection leaves nothing to resume, and
 * costs some ten microseconds (measured) beside the milliseconds of a handshake.
 */
final class JdkEngines implements TlsEngines {

  /** AES with the shorter key first: it is the faster one, and strong enough for every peer. */
  private static final String[] CIPHER_SUITES = {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
  };

  private final KeyManager[] keys;
  private final TrustManager[] trust;
  private final Executor executor;
  private final SecureRandom random = new SecureRandom();
  private final String provider;

  JdkEngines(SvidKeys keys, SpiffeTrust trust, Executor executor) throws SSLException {
    this.keys = new KeyManager[] {keys};
    this.trust = new TrustManager[] {trust};
    this.executor = executor;
    this.provider = context().getProvider().getName();
  }

  private SSLContext context() throws SSLException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, random);
      return context;
    } catch (GeneralSecurityException e) {
      throw new SSLException("the JDK offers no TLS", e);
    }
  }

  @Override
  public SslHandler client(ByteBufAllocator allocator) throws SSLException {
    SSLEngine engine = context().createSSLEngine();
    engine.setUseClientMode(true);
    engine.setSSLParameters(meshParameters(engine));
    return new QuietHandler(engine, executor);
  }

  @Override
  public SslHandler server(ByteBufAllocator allocator) throws SSLException {
    SSLEngine engine = context().createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = meshParameters(engine);
    parameters.setNeedClientAuth(true);
    engine.setSSLParameters(parameters);
    return new QuietHandler(engine, executor);
  }

  private static SSLParameters meshParameters(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {VERSION});
    parameters.setCipherSuites(CIPHER_SUITES);
    parameters.setApplicationProtocols(new String[] {ALPN});
    // SPIFFE certificates name no host; the trust manager compares ids instead.
    parameters.setEndpointIdentificationAlgorithm("");
    return parameters;
  }

  /**
   * A task that fails after its channel has gone has nobody left to tell; without this, Netty warns
   * of it with a stack trace, as often as a stranger likes to hang up early.
   */
  private static final class QuietHandler extends SslHandler {

    QuietHandler(SSLEngine engine, Executor executor) {
      super(engine, executor);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
      if (!ctx.isRemoved()) {
        super.exceptionCaught(ctx, cause);
      }
    }
  }

  @Override
  public String description() {
    return "JDK (" + provider + ")";
  }

  /** Nothing of it lives outside the heap. */
  @Override
  public void close() {}
}
