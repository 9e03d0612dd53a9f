// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.internal.text.Printable;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the control plane's certificate: its chain by the roots as they are at that moment, its
 * name by the JDK against the dialled host, and failing that against one other host.
 */
final class ServerTrust extends X509ExtendedTrustManager {

  private final ServerRoots roots;
  private final String host;
  private final @Nullable String alternative;

  ServerTrust(ServerRoots roots, String host, @Nullable String alternative) {
    this.roots = roots;
    this.host = host;
    this.alternative = alternative;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    X509ExtendedTrustManager trusted = roots.load();
    try {
      trusted.checkServerTrusted(chain, authType, engine);
    } catch (CertificateException byHost) {
      if (alternative == null) {
        throw refused(chain, host, byHost);
      }
      checkAlternative(trusted, chain, authType, alternative);
    }
  }

  private void checkAlternative(
      X509ExtendedTrustManager trusted, X509Certificate[] chain, String authType, String name)
      throws CertificateException {
    try {
      // Without the engine the chain alone is judged.
      trusted.checkServerTrusted(chain, authType);
    } catch (CertificateException untrusted) {
      throw refused(chain, host, untrusted);
    }
    if (!ServerNames.of(chain[0]).cover(name)) {
      throw refused(chain, host + " nor for " + name, new CertificateException("other names"));
    }
  }

  private CertificateException refused(
      X509Certificate[] chain, String names, CertificateException why) {
    return new CertificateException(
        "the control plane's certificate, issued for "
            + Printable.escape(ServerNames.of(chain[0]).toString())
            + ", is not accepted for "
            + names
            + " under the roots "
            + roots
            + ": "
            + why.getMessage(),
        why);
  }

  /** Not reached: the names are checked on engines only. */
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("this trust is for engines");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("this trust is for engines");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("this trust is for servers");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("this trust is for servers");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("this trust is for servers");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
