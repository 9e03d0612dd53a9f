// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * What a peer sent, as bytes, within bounds: parsing, hashing and path building cost what the peer
 * makes them cost.
 */
final class PresentedChain {

  private static final int MAX_BYTES = 64 * 1024;

  /**
   * Certificates of one name that a path builder would have to try in every order. An honest chain
   * holds two or three, while roots are exchanged.
   */
  private static final int MAX_OF_ONE_NAME = 4;

  private final List<byte[]> encoded;

  private PresentedChain(List<byte[]> encoded) {
    this.encoded = encoded;
  }

  static PresentedChain of(Certificate @Nullable [] presented) throws PeerRejectedException {
    if (presented == null || presented.length == 0) {
      throw refused(PeerRejection.NO_CERTIFICATE, "it presented no certificate", null);
    }
    if (presented.length > LeafRules.MAX_CHAIN) {
      throw refused(
          PeerRejection.CHAIN_TOO_LARGE,
          presented.length + " certificates (expected: at most " + LeafRules.MAX_CHAIN + ")",
          null);
    }
    List<byte[]> encoded = new ArrayList<>(presented.length);
    int bytes = 0;
    try {
      for (Certificate certificate : presented) {
        byte[] der = certificate.getEncoded();
        encoded.add(der);
        bytes += der.length;
      }
    } catch (CertificateException e) {
      throw refused(PeerRejection.PARSE, "a certificate has no encoding", e);
    }
    if (bytes > MAX_BYTES) {
      throw refused(
          PeerRejection.CHAIN_TOO_LARGE,
          bytes + " bytes of certificates (expected: at most " + MAX_BYTES + ")",
          null);
    }
    return new PresentedChain(encoded);
  }

  /** Stands for this chain, presented by a peer in this role, in the cache. */
  ByteBuffer digest(PeerRole role) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(role.name().getBytes(StandardCharsets.US_ASCII));
      encoded.forEach(sha256::update);
      return ByteBuffer.wrap(sha256.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The certificates as the JDK reads them, whatever class the TLS engine made: OpenSSL's are
   * parsed late and fail late.
   */
  List<X509Certificate> parse() throws PeerRejectedException {
    List<X509Certificate> chain = new ArrayList<>(encoded.size());
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (byte[] der : encoded) {
        chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
      }
    } catch (GeneralSecurityException e) {
      throw refused(
          PeerRejection.PARSE, "certificate " + (chain.size() + 1) + " cannot be read", e);
    }
    checkNames(chain);
    return List.copyOf(chain);
  }

  private static void checkNames(List<X509Certificate> chain) throws PeerRejectedException {
    Map<X500Principal, Integer> names = new HashMap<>();
    for (X509Certificate certificate : chain) {
      if (names.merge(certificate.getSubjectX500Principal(), 1, Integer::sum) > MAX_OF_ONE_NAME) {
        throw refused(
            PeerRejection.CHAIN_TOO_LARGE,
            "more than " + MAX_OF_ONE_NAME + " certificates have the same subject",
            null);
      }
    }
  }

  private static PeerRejectedException refused(
      PeerRejection reason, String detail, @Nullable Throwable cause) {
    return new PeerRejectedException(reason, null, detail, cause);
  }
}
