// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.IdentityException.TokenUnusable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The service-account token that says to a control plane who asks. A file is read again for every
 * call, because the kubelet replaces it long before it expires; its contents are never kept, shown
 * or logged.
 */
public final class ServiceAccountToken {

  /** What Istio's control plane demands by default (control-plane reference 1.3). */
  private static final String ISTIO_AUDIENCE = "istio-ca";

  /** A token whose end has just passed here may still be good by the clock of who judges it. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(60);

  private static final int MOST_BYTES = 64 << 10;

  private static final String PROJECTION =
      "; project a service-account token into the pod: a volume with a serviceAccountToken source"
          + " whose audience is ";

  private final @Nullable Path file;
  private final @Nullable String literal;
  private final String audience;

  private ServiceAccountToken(@Nullable Path file, @Nullable String literal, String audience) {
    this.file = file;
    this.literal = literal;
    this.audience = audience;
  }

  /**
   * A token in a file, such as a projected volume.
   *
   * @param file where it is
   * @return a token that follows the file
   */
  public static ServiceAccountToken file(Path file) {
    return new ServiceAccountToken(file.toAbsolutePath(), null, ISTIO_AUDIENCE);
  }

  /**
   * A token given as text.
   *
   * @param token the text
   * @return a token that never changes
   */
  public static ServiceAccountToken literal(String token) {
    return new ServiceAccountToken(null, token, ISTIO_AUDIENCE);
  }

  /**
   * Reads what the ambient node proxy reads from {@code AUTH_TOKEN}.
   *
   * @param text the path of a file, which has a slash, or a token, which has none
   * @return the token
   */
  public static ServiceAccountToken of(String text) {
    return text.indexOf('/') >= 0 ? file(Path.of(text)) : literal(text);
  }

  /**
   * The same token, meant for somebody else than Istio. Only messages depend on it.
   *
   * @param expected what the control plane wants to find among the token's audiences
   * @return the token
   */
  public ServiceAccountToken audience(String expected) {
    return new ServiceAccountToken(file, literal, expected);
  }

  /**
   * The token as it is now.
   *
   * @throws TokenUnusable if it cannot be sent, or nobody would take it
   */
  String read(Instant now) {
    String token = text();
    Optional<Instant> expiry =
        TokenClaims.of(token).flatMap(claims -> Optional.ofNullable(claims.expiry()));
    if (expiry.isPresent() && !expiry.get().plus(CLOCK_TOLERANCE).isAfter(now)) {
      throw new TokenUnusable(
          TokenUnusable.Fault.EXPIRED,
          this
              + " expired at "
              + expiry.get()
              + ", and the local clock says "
              + now
              + (file == null
                  ? "; give a file instead, which is read again for every call"
                  : "; the kubelet should have replaced it: look at the events of the pod"),
          null);
    }
    return token;
  }

  /** Whether two readings held the same token, without keeping it. */
  byte[] fingerprint() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** What may be said about it to somebody who wonders why it was refused. */
  String describe(Instant now) {
    String token;
    try {
      token = read(now);
    } catch (TokenUnusable e) {
      return String.valueOf(e.getMessage());
    }
    Optional<TokenClaims> claims = TokenClaims.of(token);
    if (claims.isEmpty()) {
      return this + " is not a JWT" + PROJECTION + audience;
    }
    String ends = claims.get().expiry() == null ? "never" : "at " + claims.get().expiry();
    if (!claims.get().audiences().contains(audience)) {
      return this
          + " is for the audience "
          + claims.get().audiences()
          + ", but "
          + audience
          + " is expected (it ends "
          + ends
          + ")"
          + PROJECTION
          + audience;
    }
    return this + " is for the expected audience " + audience + " and ends " + ends;
  }

  private String text() {
    String token = (file == null ? String.valueOf(literal) : read(file)).strip();
    if (token.isEmpty()) {
      throw new TokenUnusable(
          TokenUnusable.Fault.EMPTY, this + " is empty" + PROJECTION + audience, null);
    }
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new TokenUnusable(
          TokenUnusable.Fault.MALFORMED,
          this + " holds characters that no token has; is it another file?",
          null);
    }
    return token;
  }

  private String read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      try {
        if (bytes.length > MOST_BYTES) {
          throw new TokenUnusable(
              TokenUnusable.Fault.MALFORMED, this + " is longer than any token is", null);
        }
        return new String(bytes, StandardCharsets.UTF_8);
      } finally {
        Arrays.fill(bytes, (byte) 0);
      }
    } catch (NoSuchFileException e) {
      throw new TokenUnusable(
          TokenUnusable.Fault.MISSING, this + " does not exist" + PROJECTION + audience, e);
    } catch (IOException e) {
      throw new TokenUnusable(
          TokenUnusable.Fault.MISSING, this + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Where it comes from; never the token. */
  @Override
  public String toString() {
    return file == null ? "the token given as text" : "the token file " + file;
  }
}
