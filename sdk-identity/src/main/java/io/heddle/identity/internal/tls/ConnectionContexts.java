// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.internal.x509.PeerValidator;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Behind an SSL context that looks like any other, makes a context of its own for each connection.
 *
 * <p>A library that names host and port to a shared context resumes sessions, and on a resumed
 * session no trust manager is asked. A context that serves one connection has nothing to resume. It
 * costs some ten microseconds (measured), beside the milliseconds of the handshake itself.
 */
public final class ConnectionContexts extends SSLContextSpi {

  private final KeyManager[] keys;
  private final TrustManager[] trust;
  private final String[] versions;
  private final SecureRandom random = new SecureRandom();

  /** Only asked for what a library wants to know beforehand; no connection uses it. */
  private final SSLContext template;

  private ConnectionContexts(SvidKeys keys, SpiffeTrust trust, String... versions) {
    this.keys = new KeyManager[] {keys};
    this.trust = new TrustManager[] {trust};
    this.versions = versions.clone();
    this.template = forOneConnection();
  }

  /**
   * Makes the outer context.
   *
   * @param identities our identity and whom to accept
   * @param validator validates the chains of peers
   * @param versions the TLS versions to speak
   * @return an initialised context
   */
  public static SSLContext sslContext(
      RecentSnapshots identities, PeerValidator validator, String... versions) {
    ConnectionContexts contexts =
        new ConnectionContexts(
            new SvidKeys(identities),
            new SpiffeTrust(validator, identities, UnaryOperator.identity()),
            versions);
    return new Outer(contexts);
  }

  /** The constructor of {@link SSLContext} is for subclasses. */
  private static final class Outer extends SSLContext {
    Outer(ConnectionContexts contexts) {
      super(contexts, contexts.template.getProvider(), contexts.template.getProtocol());
    }
  }

  SSLContext forOneConnection() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, random);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK offers no TLS", e);
    }
  }

  /** The settings that every connection starts with, on top of those that it has by itself. */
  SSLParameters meshParameters(SSLParameters parameters) {
    parameters.setProtocols(versions.clone());
    // Has no effect on the end that connects.
    parameters.setNeedClientAuth(true);
    return parameters;
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return configured(forOneConnection().createSSLEngine());
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return configured(forOneConnection().createSSLEngine(host, port));
  }

  private SSLEngine configured(SSLEngine engine) {
    engine.setSSLParameters(meshParameters(engine.getSSLParameters()));
    return engine;
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    return new ConnectionSockets(this);
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    return new ConnectionServerSockets(this);
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return meshParameters(template.getDefaultSSLParameters());
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return template.getSupportedSSLParameters();
  }

  /** Stays empty: sessions live and die with their connection. */
  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return template.getServerSessionContext();
  }

  /** Stays empty: sessions live and die with their connection. */
  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return template.getClientSessionContext();
  }

  @Override
  protected void engineInit(
      KeyManager @Nullable [] keyManagers,
      TrustManager @Nullable [] trustManagers,
      @Nullable SecureRandom secureRandom)
      throws KeyManagementException {
    throw new KeyManagementException(
        "this context has its keys and its trust from a mesh identity; use it as it is");
  }
}
