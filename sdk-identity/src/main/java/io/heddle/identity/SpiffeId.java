// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.InvalidSpiffeIdException.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A SPIFFE ID, such as {@code spiffe://cluster.local/ns/shop/sa/web}: who a workload is.
 *
 * <p>A value in canonical form: two ids are the same exactly when their texts are, byte for byte.
 * Nothing is decoded, folded or normalised, so {@link java.net.URI} is not used here. Safe for any
 * thread.
 */
public final class SpiffeId implements Comparable<SpiffeId> {

  private static final String PREFIX = "spiffe://";
  private static final int MAX_BYTES = 2048;
  private static final String WHAT = "SPIFFE ID";

  private final String text;
  private final TrustDomain trustDomain;

  /** The index of the first slash of the path; the length of the text if there is no path. */
  private final int pathStart;

  // Asked for by every connection that an id opens.
  private final @Nullable String namespace;
  private final @Nullable String serviceAccount;

  private SpiffeId(String text, TrustDomain trustDomain) {
    this.text = text;
    this.trustDomain = trustDomain;
    this.pathStart = PREFIX.length() + trustDomain.name().length();
    @Nullable String[] parts = istioParts(text.substring(pathStart));
    this.namespace = parts[0];
    this.serviceAccount = parts[1];
  }

  /**
   * Reads an id strictly: the form that certificates, tokens and wire data must have.
   *
   * @param value the text; absent text is reported like empty text
   * @return the id
   * @throws InvalidSpiffeIdException naming the first rule broken, reading from left to right
   */
  public static SpiffeId parse(@Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw new InvalidSpiffeIdException(Reason.EMPTY, WHAT, "");
    }
    // A legal id is ASCII, so characters are bytes; anything longer is illegal in either unit.
    if (value.length() > MAX_BYTES) {
      throw new InvalidSpiffeIdException(Reason.TOO_LONG, WHAT, value);
    }
    if (!value.startsWith(PREFIX)) {
      throw new InvalidSpiffeIdException(Reason.WRONG_SCHEME, WHAT, value);
    }
    int slash = value.indexOf('/', PREFIX.length());
    int end = slash < 0 ? value.length() : slash;
    TrustDomain domain = TrustDomain.checked(value.substring(PREFIX.length(), end), WHAT, value);
    checkPath(value, end);
    return new SpiffeId(value, domain);
  }

  /**
   * Reads an id that a person wrote into a configuration: capital letters A-Z in the scheme and in
   * the trust domain are folded to lower case, everything else is as strict as {@link #parse}.
   * Certificates are never read this way.
   *
   * @param value the text
   * @return the id in canonical form
   * @throws InvalidSpiffeIdException if the folded text is not a SPIFFE ID
   */
  public static SpiffeId parseLenient(@Nullable String value) {
    if (value == null || value.length() > MAX_BYTES) {
      return parse(value);
    }
    int authority = value.indexOf("//");
    int slash = authority < 0 ? -1 : value.indexOf('/', authority + 2);
    int folded = slash < 0 ? value.length() : slash;
    StringBuilder out = new StringBuilder(value.length());
    for (int i = 0; i < folded; i++) {
      char c = value.charAt(i);
      // Only ASCII: the Kelvin sign and the dotted capital I must not become letters.
      out.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    return parse(out.append(value, folded, value.length()).toString());
  }

  /**
   * Builds an id from path segments.
   *
   * @param trustDomain the trust domain
   * @param segments the segments without slashes; none gives the id of the trust domain itself
   * @return the id
   * @throws InvalidSpiffeIdException if a segment is empty, a dot segment or holds another
   *     character than {@code A-Z a-z 0-9 . - _}
   */
  public static SpiffeId of(TrustDomain trustDomain, String... segments) {
    return append(PREFIX + trustDomain.name(), trustDomain, segments);
  }

  /**
   * The id that Istio gives to the workloads of a Kubernetes service account.
   *
   * @param trustDomain the trust domain of the mesh
   * @param namespace the namespace of the service account
   * @param serviceAccount its name
   * @return {@code spiffe://<trust domain>/ns/<namespace>/sa/<service account>}
   */
  public static SpiffeId workload(
      TrustDomain trustDomain, String namespace, String serviceAccount) {
    return of(trustDomain, "ns", namespace, "sa", serviceAccount);
  }

  /**
   * The id whose path is this path followed by more segments.
   *
   * @param segments the segments to add
   * @return the longer id
   * @throws InvalidSpiffeIdException as for {@link #of}
   */
  public SpiffeId append(String... segments) {
    return append(text, trustDomain, segments);
  }

  private static SpiffeId append(String start, TrustDomain domain, String... segments) {
    StringBuilder out = new StringBuilder(start);
    for (String segment : segments) {
      if (segment.isEmpty()) {
        throw new InvalidSpiffeIdException(Reason.EMPTY_SEGMENT, WHAT, out + "/");
      }
      // A slash inside a segment would smuggle in further segments.
      if (segment.indexOf('/') >= 0) {
        throw new InvalidSpiffeIdException(Reason.BAD_PATH_CHAR, "path segment", segment);
      }
      out.append('/').append(segment);
    }
    if (out.length() > MAX_BYTES) {
      throw new InvalidSpiffeIdException(Reason.TOO_LONG, WHAT, out.toString());
    }
    String whole = out.toString();
    checkPath(whole, PREFIX.length() + domain.name().length());
    return new SpiffeId(whole, domain);
  }

  private static void checkPath(String value, int pathStart) {
    int segmentStart = pathStart + 1;
    for (int i = segmentStart; i <= value.length(); i++) {
      if (i < value.length() && value.charAt(i) != '/') {
        if (!isLegal(value.charAt(i))) {
          throw new InvalidSpiffeIdException(Reason.BAD_PATH_CHAR, WHAT, value);
        }
        continue;
      }
      checkSegment(value, segmentStart, i);
      segmentStart = i + 1;
    }
  }

  private static void checkSegment(String value, int start, int end) {
    if (start == end) {
      boolean last = end == value.length();
      throw new InvalidSpiffeIdException(
          last ? Reason.TRAILING_SLASH : Reason.EMPTY_SEGMENT, WHAT, value);
    }
    boolean dots = value.charAt(start) == '.' && value.charAt(end - 1) == '.';
    if (dots && end - start <= 2) {
      throw new InvalidSpiffeIdException(Reason.DOT_SEGMENT, WHAT, value);
    }
  }

  private static boolean isLegal(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }

  /**
   * The trust domain this id belongs to.
   *
   * @return the trust domain
   */
  public TrustDomain trustDomain() {
    return trustDomain;
  }

  /**
   * The path.
   *
   * @return for example {@code /ns/shop/sa/web}; empty for the id of a trust domain
   */
  public String path() {
    return text.substring(pathStart);
  }

  /**
   * Whether this id has no path. Such an id names the trust domain and is never a workload's.
   *
   * @return true if the path is empty
   */
  public boolean isTrustDomainId() {
    return pathStart == text.length();
  }

  /**
   * The Kubernetes namespace, if the id has Istio's shape {@code /ns/<namespace>/sa/<account>}.
   *
   * @return the namespace, or empty for an id of another shape
   */
  public Optional<String> namespace() {
    return Optional.ofNullable(namespace);
  }

  /**
   * The Kubernetes service account, if the id has Istio's shape {@code
   * /ns/<namespace>/sa/<account>}.
   *
   * @return the service account, or empty for an id of another shape
   */
  public Optional<String> serviceAccount() {
    return Optional.ofNullable(serviceAccount);
  }

  private static @Nullable String[] istioParts(String path) {
    String[] parts = path.split("/", -1);
    return parts.length == 5 && parts[1].equals("ns") && parts[3].equals("sa")
        ? new String[] {parts[2], parts[4]}
        : new String[2];
  }

  /** Whether this id is {@code prefix} itself or lies below it, whole segments only. */
  boolean isAtOrBelow(SpiffeId prefix) {
    return text.startsWith(prefix.text)
        && (text.length() == prefix.text.length() || text.charAt(prefix.text.length()) == '/');
  }

  @Override
  public int compareTo(SpiffeId other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SpiffeId that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The canonical text. */
  @Override
  public String toString() {
    return text;
  }
}
