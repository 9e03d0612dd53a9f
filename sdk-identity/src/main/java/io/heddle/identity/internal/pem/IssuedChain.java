// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a certificate authority answered, sorted by role. The leaf and the intermediates are what we
 * present; the roots are what we trust.
 *
 * @param leaf the certificate that was asked for
 * @param intermediates between the leaf and a root, in the order of the answer
 * @param roots the trust anchors
 */
public record IssuedChain(
    X509Certificate leaf, List<X509Certificate> intermediates, Set<X509Certificate> roots) {

  /** Copies the collections; the order is kept. */
  public IssuedChain {
    intermediates = List.copyOf(intermediates);
    roots = Collections.unmodifiableSet(new LinkedHashSet<>(roots));
  }

  /**
   * Sorts the elements of an answer. Each may hold any number of PEM blocks.
   *
   * <p>The first certificate is the leaf. The last element is the root bundle, whole, even where it
   * names an intermediate (some authorities end there); self-signed certificates elsewhere are
   * roots too and are never presented. An answer of a single element has no root bundle of its own,
   * so there only self-signed certificates are roots.
   */
  public static IssuedChain of(List<String> elements) throws PemException {
    List<List<X509Certificate>> parsed = new ArrayList<>();
    for (int at = 0; at < elements.size(); at++) {
      try {
        parsed.add(
            Certificates.chain(PemBlocks.parse(elements.get(at).getBytes(StandardCharsets.UTF_8))));
      } catch (PemException e) {
        throw new PemException("element " + (at + 1) + " of the answer: " + e.getMessage(), e);
      }
    }
    if (parsed.isEmpty()) {
      throw new PemException("the answer holds no certificate");
    }
    X509Certificate leaf = parsed.get(0).get(0);
    Set<X509Certificate> intermediates = new LinkedHashSet<>();
    Set<X509Certificate> roots = new LinkedHashSet<>();
    for (int at = 0; at < parsed.size(); at++) {
      boolean rootBundle = at > 0 && at == parsed.size() - 1;
      List<X509Certificate> element = parsed.get(at);
      for (X509Certificate certificate : at == 0 ? element.subList(1, element.size()) : element) {
        (rootBundle || isSelfSigned(certificate) ? roots : intermediates).add(certificate);
      }
    }
    if (roots.isEmpty()) {
      throw new PemException("the answer holds no root certificate");
    }
    intermediates.removeAll(roots);
    return new IssuedChain(leaf, List.copyOf(intermediates), roots);
  }

  /** Whether at least one anchor is a real root; if not, peers under the root will be refused. */
  public boolean hasSelfSignedRoot() {
    return roots.stream().anyMatch(IssuedChain::isSelfSigned);
  }

  /** What is presented to peers: the leaf, then the intermediates. */
  public List<X509Certificate> presented() {
    List<X509Certificate> presented = new ArrayList<>();
    presented.add(leaf);
    presented.addAll(intermediates);
    return presented;
  }

  private static boolean isSelfSigned(X509Certificate certificate) {
    if (!certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
