// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.InvalidSpiffeIdException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The name of a SPIFFE trust domain, such as {@code cluster.local}: an opaque text of 1 to 255
 * bytes out of {@code a-z 0-9 . - _}. It is not a DNS name and is never treated as one. A value,
 * safe for any thread.
 */
public final class TrustDomain implements Comparable<TrustDomain> {

  private static final int MAX_BYTES = 255;

  private final String name;

  private TrustDomain(String name) {
    this.name = name;
  }

  /**
   * Reads a trust domain from its name, or from any SPIFFE ID that lies in it.
   *
   * @param nameOrId {@code cluster.local} or {@code spiffe://cluster.local/anything}
   * @return the trust domain
   * @throws InvalidSpiffeIdException if the text is neither
   */
  public static TrustDomain parse(@Nullable String nameOrId) {
    if (nameOrId == null || nameOrId.isEmpty()) {
      throw new InvalidSpiffeIdException(Reason.NO_TRUST_DOMAIN, "trust domain", "");
    }
    // Text with ":/" was meant as an id, so that the error is about its scheme.
    if (nameOrId.contains(":/")) {
      return SpiffeId.parse(nameOrId).trustDomain();
    }
    return checked(nameOrId, "trust domain", nameOrId);
  }

  /** Checks {@code name}, which was found in {@code whole}; errors show the whole. */
  static TrustDomain checked(String name, String what, String whole) {
    if (name.isEmpty()) {
      throw new InvalidSpiffeIdException(Reason.NO_TRUST_DOMAIN, what, whole);
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isLegal(name.charAt(i))) {
        throw new InvalidSpiffeIdException(Reason.BAD_TD_CHAR, what, whole);
      }
    }
    if (name.length() > MAX_BYTES) {
      throw new InvalidSpiffeIdException(Reason.TD_TOO_LONG, what, whole);
    }
    return new TrustDomain(name);
  }

  private static boolean isLegal(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  }

  /**
   * The bare name.
   *
   * @return for example {@code cluster.local}
   */
  public String name() {
    return name;
  }

  /**
   * The id of the trust domain itself, which has no path and names no workload.
   *
   * @return for example {@code spiffe://cluster.local}
   */
  public SpiffeId id() {
    return SpiffeId.of(this);
  }

  @Override
  public int compareTo(TrustDomain other) {
    return name.compareTo(other.name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TrustDomain that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** The bare name. */
  @Override
  public String toString() {
    return name;
  }
}
