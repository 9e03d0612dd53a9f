// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import io.heddle.identity.X509Svid;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS of the frame peer: the JDK's own, so that nothing of ours judges ours. */
public final class PeerTls {

  private static final char[] NO_PASSWORD = {};

  private PeerTls() {}

  /** Shows an SVID of the PKI with the given id, and trusts the root of the PKI. */
  public static SSLContext of(TestPki pki, String id) {
    return of(pki.svid(id), pki.bundle().anchors());
  }

  /** Shows an SVID, and trusts the given roots only. */
  public static SSLContext of(X509Svid svid, Collection<X509Certificate> anchors) {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "svid", svid.privateKey(), NO_PASSWORD, svid.chain().toArray(Certificate[]::new));
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(keys, NO_PASSWORD);

      KeyStore roots = KeyStore.getInstance("PKCS12");
      roots.load(null, null);
      for (X509Certificate anchor : anchors) {
        roots.setCertificateEntry("root-" + roots.size(), anchor);
      }
      TrustManagerFactory trustManagers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trustManagers.init(roots);

      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot make TLS for the peer", e);
    }
  }
}
