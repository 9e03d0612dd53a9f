// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.ca;

import io.grpc.Status;
import io.grpc.StatusException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.ca.KeyPairs;
import io.heddle.identity.internal.pem.PemText;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Issues certificates for a chain of root and intermediate. Used by one thread at a time. */
public final class CertificateAuthority {

  /** Control-plane reference 4.3: for peers whose clocks are slow. */
  private static final Duration BACKDATED = Duration.ofMinutes(2);

  private static final Duration ROOT_LIFETIME = Duration.ofDays(3650);
  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(24);
  private static final Duration LONGEST_LIFETIME = Duration.ofDays(90);

  /** Of a shortened life, the part that may lie in the past: half of it must still lie ahead. */
  private static final int BACKDATED_PART = 8;

  /**
   * A server's certificate with its key.
   *
   * @param chain leaf first, without the root
   * @param key the key
   */
  public record ServerIdentity(List<X509Certificate> chain, KeyPair key) {
    /** Copies the chain. */
    public ServerIdentity {
      chain = List.copyOf(chain);
    }
  }

  private final Clock clock;
  private final Duration signerLifetime;
  private final @Nullable Duration shortened;
  private final List<X509Certificate> roots = new ArrayList<>();
  private Signer signer;

  /**
   * An authority with a new root.
   *
   * @param clock dates the certificates
   * @param signerLifetime how long the intermediate lives; no leaf outlives it
   * @param shortened what a leaf lives at most, whatever is asked for; null for istiod's rules only
   */
  public CertificateAuthority(Clock clock, Duration signerLifetime, @Nullable Duration shortened) {
    this.clock = clock;
    this.signerLifetime = signerLifetime;
    this.shortened = shortened;
    this.signer = newSigner();
  }

  private Signer newSigner() {
    Instant start = clock.instant().minus(BACKDATED);
    Signer root = Signer.root("root", start, clock.instant().plus(ROOT_LIFETIME));
    roots.add(0, root.certificate());
    return root.intermediate("intermediate", start, clock.instant().plus(signerLifetime));
  }

  /** Signs below a new root from now on; the roots before stay trusted. */
  public void rotateRoot() {
    signer = newSigner();
  }

  /** Everything that is trusted, newest first, as one text. */
  public String rootsPem() {
    StringBuilder text = new StringBuilder();
    roots.forEach(root -> text.append(pem(root)));
    return text.toString();
  }

  /** A certificate for the control plane itself. */
  public ServerIdentity server(List<String> names) {
    KeyPair pair = KeyPairs.p256(new SecureRandom());
    X509Certificate leaf =
        signer.server(
            names,
            pair.getPublic(),
            clock.instant().minus(BACKDATED),
            signer.certificate().getNotAfter().toInstant());
    return new ServerIdentity(List.of(leaf, signer.certificate()), pair);
  }

  /**
   * The answer to a request: leaf, intermediate, and all roots in the last element.
   *
   * @param csr the request, in PEM
   * @param seconds the life that is asked for; 0 and less for the default
   * @param id whom to certify
   * @throws StatusException INVALID_ARGUMENT if the request or the life is not acceptable
   */
  public List<String> sign(String csr, long seconds, SpiffeId id) throws StatusException {
    if (seconds > LONGEST_LIFETIME.toSeconds()) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "TTL error: requested " + seconds + " s, at most " + LONGEST_LIFETIME.toSeconds())
          .asException();
    }
    Duration lifetime = seconds <= 0 ? DEFAULT_LIFETIME : Duration.ofSeconds(seconds);
    Duration backdated = BACKDATED;
    if (shortened != null && lifetime.compareTo(shortened) > 0) {
      lifetime = shortened;
      Duration part = shortened.dividedBy(BACKDATED_PART);
      backdated = part.compareTo(BACKDATED) < 0 ? part : BACKDATED;
    }
    Instant now = clock.instant();
    Instant end = now.plus(lifetime);
    Instant signerEnd = signer.certificate().getNotAfter().toInstant();
    X509Certificate leaf =
        signer.workload(
            id,
            SigningRequest.publicKey(csr),
            now.minus(backdated),
            end.isAfter(signerEnd) ? signerEnd : end);
    return List.of(pem(leaf), pem(signer.certificate()), rootsPem());
  }

  private static String pem(X509Certificate certificate) {
    try {
      return new String(
          PemText.block("CERTIFICATE", certificate.getEncoded()), StandardCharsets.US_ASCII);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate of our own has no encoding", e);
    }
  }
}
