// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A peer that is not ours: it presents whatever chain it is given, trusts everybody, and uses
 * blocking sockets of the JDK.
 */
public final class ForeignPeer {

  private static final int READ_TIMEOUT_MILLIS = 30_000;

  private final SSLContext context;
  private final TrustEverybody trust;
  private String[] versions = {"TLSv1.3"};
  private String[] protocols = {"h2"};

  private ForeignPeer(SSLContext context, TrustEverybody trust) {
    this.context = context;
    this.trust = trust;
  }

  /** A peer without a certificate. */
  public static ForeignPeer anonymous() {
    return of(new KeyManager[0]);
  }

  /** A peer that presents a certificate and the intermediates above it. */
  public static ForeignPeer presenting(IssuedCertificate certificate) {
    return presenting(certificate.chain(), certificate.privateKey());
  }

  public static ForeignPeer presenting(List<X509Certificate> chain, PrivateKey key) {
    return of(new KeyManager[] {new FixedKey(chain.toArray(new X509Certificate[0]), key)});
  }

  private static ForeignPeer of(KeyManager... keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustEverybody trust = new TrustEverybody();
      context.init(keys, new TrustManager[] {trust}, null);
      return new ForeignPeer(context, trust);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public ForeignPeer versions(String... only) {
    versions = only;
    return this;
  }

  public ForeignPeer protocols(String... offered) {
    protocols = offered;
    return this;
  }

  /** Connects without a handshake yet, naming a host and a port as browsers do. */
  public SSLSocket dial(InetSocketAddress address) throws IOException {
    Socket plain = new Socket();
    plain.connect(address);
    plain.setSoTimeout(READ_TIMEOUT_MILLIS);
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(plain, address.getHostString(), address.getPort(), true);
    socket.setSSLParameters(configured(socket.getSSLParameters()));
    return socket;
  }

  /** A listener on a free port; handshakes happen when the accepted sockets are used. */
  public SSLServerSocket listen() throws IOException {
    SSLServerSocket listener =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    SSLParameters parameters = configured(listener.getSSLParameters());
    parameters.setNeedClientAuth(true);
    listener.setSSLParameters(parameters);
    return listener;
  }

  /** A Netty handler for the connecting end. */
  public SslHandler clientHandler() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    engine.setSSLParameters(configured(engine.getSSLParameters()));
    return new SslHandler(engine);
  }

  /** How often the other end was judged. */
  public int judgements() {
    return trust.judgements.get();
  }

  private SSLParameters configured(SSLParameters parameters) {
    parameters.setProtocols(versions);
    parameters.setApplicationProtocols(protocols);
    return parameters;
  }

  private static final class FixedKey extends X509ExtendedKeyManager {

    private final X509Certificate[] chain;
    private final PrivateKey key;

    FixedKey(X509Certificate[] chain, PrivateKey key) {
      this.chain = chain;
      this.key = key;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return "fixed";
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      return "fixed";
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return "fixed";
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return "fixed";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {"fixed"};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {"fixed"};
    }
  }

  private static final class TrustEverybody extends X509ExtendedTrustManager {

    private final AtomicInteger judgements = new AtomicInteger();

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
      judgements.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      judgements.incrementAndGet();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      judgements.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      judgements.incrementAndGet();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      judgements.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      judgements.incrementAndGet();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
