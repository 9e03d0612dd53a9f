// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Makes certificates of PEM blocks. */
public final class Certificates {

  private Certificates() {}

  /**
   * Trust anchors that could be read, without duplicates, and how many blocks could not be.
   *
   * @param certificates in the order of the text
   * @param skipped blocks that are no readable certificate
   */
  public record Roots(List<X509Certificate> certificates, int skipped) {
    /** Copies the list. */
    public Roots {
      certificates = List.copyOf(certificates);
    }
  }

  /** Every certificate of a chain, in order; one that cannot be read fails the whole chain. */
  public static List<X509Certificate> chain(List<PemBlock> blocks) throws PemException {
    List<X509Certificate> chain = new ArrayList<>();
    for (PemBlock block : blocks) {
      if (block.label().equals("CERTIFICATE")) {
        try {
          chain.add(certificate(block));
        } catch (CertificateException e) {
          throw new PemException("certificate " + (chain.size() + 1) + " cannot be parsed", e);
        }
      }
    }
    if (chain.isEmpty()) {
      throw new PemException("no certificate block");
    }
    return List.copyOf(chain);
  }

  /**
   * Every root that can be read. A bundle with one broken certificate must not cut off the peers
   * under all others, so broken ones are counted, and only a bundle without any good one fails.
   */
  public static Roots roots(List<PemBlock> blocks) throws PemException {
    Set<X509Certificate> roots = new LinkedHashSet<>();
    int skipped = 0;
    for (PemBlock block : blocks) {
      if (block.label().equals("CERTIFICATE")) {
        try {
          roots.add(certificate(block));
        } catch (CertificateException e) {
          skipped++;
        }
      } else if (block.label().equals("TRUSTED CERTIFICATE")) {
        // OpenSSL's own form carries trust settings that we would have to ignore.
        skipped++;
      }
    }
    if (roots.isEmpty()) {
      throw new PemException(
          skipped == 0
              ? "no certificate block"
              : "none of the " + skipped + " certificates can be parsed");
    }
    return new Roots(List.copyOf(roots), skipped);
  }

  private static X509Certificate certificate(PemBlock block) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(block.der()));
  }
}
