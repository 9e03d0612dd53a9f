// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.internal.ca.IssuingAuthority;
import io.heddle.identity.internal.ca.KeyPairs;
import io.heddle.identity.internal.ca.SharedRoot;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate authority for one developer's machine: it hands out any identity of its trust
 * domain to whoever asks in this process, without asking who they are.
 *
 * <p>For local mode and tests only. It is refused where a real issuer is at hand, that is inside a
 * Kubernetes pod or beside an SPIFFE Workload API, unless {@linkplain Builder#force() forced}.
 * Every method may be called from any thread; none blocks longer than a signature takes.
 *
 * <pre>{@code
 * DevelopmentCa ca = DevelopmentCa.inMemory(TrustDomain.parse("cluster.local"));
 * SpiffeId web = SpiffeId.workload(ca.trustDomain(), "shop", "web");
 * SvidSource source = DevelopmentSource.builder(ca, web).build();
 * }</pre>
 */
public final class DevelopmentCa {

  private static final Logger log = LoggerFactory.getLogger(DevelopmentCa.class);

  /** Their presence says that identities should come from somewhere else. */
  private static final List<String> SIGNS_OF_A_REAL_ISSUER =
      List.of("KUBERNETES_SERVICE_HOST", "SPIFFE_ENDPOINT_SOCKET");

  private static final Duration DEFAULT_ROOT_LIFETIME = Duration.ofDays(30);
  private static final Duration SHORTEST_LEAF = Duration.ofSeconds(1);

  private final TrustDomain trustDomain;
  private final IssuingAuthority authority;
  private final TrustBundle bundle;
  private final Clock clock;
  private final SecureRandom random;

  private DevelopmentCa(Builder builder) {
    this.trustDomain = builder.trustDomain;
    this.clock = builder.clock;
    this.random = new SecureRandom();
    Instant now = clock.instant();
    Path directory = builder.directory;
    this.authority =
        directory == null
            ? IssuingAuthority.selfSigned(
                trustDomain,
                now.minus(IssuingAuthority.BACKDATED),
                now.plus(builder.rootLifetime),
                random)
            : SharedRoot.open(directory, trustDomain, now, builder.rootLifetime, random);
    this.bundle = TrustBundle.of(trustDomain, List.of(authority.certificate()));
    log.warn(
        "development certificate authority for trust domain {} ({}): it certifies any identity"
            + " without asking, so never use it in production",
        trustDomain,
        directory == null ? "this process only" : "shared through " + directory);
  }

  /**
   * An authority whose root lives and dies with this object.
   *
   * @param trustDomain the trust domain it issues for
   * @return the authority
   * @throws IdentityException.Refused if a real issuer is at hand
   */
  public static DevelopmentCa inMemory(TrustDomain trustDomain) {
    return builder(trustDomain).build();
  }

  /**
   * An authority whose root is shared by all processes that name the same directory. The directory
   * must be accessible to its owner only; it is made, with the root in it, where it is missing.
   *
   * @param directory where the root is kept, key included
   * @param trustDomain the trust domain it issues for
   * @return the authority
   * @throws IdentityException.Refused if a real issuer is at hand, the directory is open to other
   *     users, or it belongs to another trust domain
   * @throws IdentityException.SourceFailed if the directory cannot be used or its content is
   *     damaged
   */
  public static DevelopmentCa shared(Path directory, TrustDomain trustDomain) {
    return builder(trustDomain).sharedIn(directory).build();
  }

  /**
   * An authority with settings of its own.
   *
   * @param trustDomain the trust domain it issues for
   * @return a builder
   */
  public static Builder builder(TrustDomain trustDomain) {
    return new Builder(trustDomain);
  }

  /**
   * Makes a fresh key pair and certifies it. The certificate begins a minute ago and never outlives
   * the root.
   *
   * @param id whose identity; of this authority's trust domain and with a path
   * @param lifetime how long it is valid from now, at least one second; X.509 knows whole seconds
   *     only, so a fraction is rounded up
   * @return the SVID
   * @throws IllegalArgumentException if the id is not one that this authority can certify, or the
   *     lifetime is too short
   * @throws IdentityException.SourceFailed if the root has expired
   */
  public X509Svid issue(SpiffeId id, Duration lifetime) {
    requireOwn(id);
    requireLeafLifetime(lifetime);
    Instant now = clock.instant();
    Instant rootEnd = authority.certificate().getNotAfter().toInstant();
    if (!rootEnd.isAfter(now)) {
      throw new IdentityException.SourceFailed(
          "the development root of "
              + trustDomain
              + " expired at "
              + rootEnd
              + "; restart the processes that share it to make a new one",
          null);
    }
    Instant end = wholeSecond(now.plus(lifetime));
    KeyPair pair = KeyPairs.p256(random);
    X509Certificate leaf =
        authority.issue(
            id,
            pair.getPublic(),
            now.minus(IssuingAuthority.BACKDATED),
            end.isAfter(rootEnd) ? rootEnd : end);
    return X509Svid.of(List.of(leaf), pair.getPrivate());
  }

  /**
   * What a peer needs to verify the identities of this authority.
   *
   * @return the bundle with the root
   */
  public TrustBundle bundle() {
    return bundle;
  }

  /**
   * Whose identities it issues.
   *
   * @return the trust domain
   */
  public TrustDomain trustDomain() {
    return trustDomain;
  }

  void requireOwn(SpiffeId id) {
    if (!id.trustDomain().equals(trustDomain) || id.isTrustDomainId()) {
      throw new IllegalArgumentException(
          "id: " + id + " (expected: a workload of trust domain " + trustDomain + ")");
    }
  }

  static void requireLeafLifetime(Duration lifetime) {
    if (lifetime.compareTo(SHORTEST_LEAF) < 0) {
      throw new IllegalArgumentException(
          "lifetime: " + lifetime + " (expected: at least " + SHORTEST_LEAF.toSeconds() + " s)");
    }
  }

  private static Instant wholeSecond(Instant instant) {
    Instant floor = instant.truncatedTo(ChronoUnit.SECONDS);
    return floor.equals(instant) ? floor : floor.plusSeconds(1);
  }

  /** Collects the settings of a {@link DevelopmentCa}. Not for use by several threads. */
  public static final class Builder {

    private final TrustDomain trustDomain;
    private @Nullable Path directory;
    private Map<String, String> environment = System.getenv();
    private boolean forced;
    private Clock clock = Clock.systemUTC();
    private Duration rootLifetime = DEFAULT_ROOT_LIFETIME;

    private Builder(TrustDomain trustDomain) {
      this.trustDomain = trustDomain;
    }

    /**
     * Shares the root with other processes; see {@link DevelopmentCa#shared}.
     *
     * @param newDirectory where the root is kept
     * @return this builder
     */
    public Builder sharedIn(Path newDirectory) {
      this.directory = newDirectory;
      return this;
    }

    /**
     * The environment in which to look for signs of a real issuer; that of the process by default.
     *
     * @param newEnvironment variables by name
     * @return this builder
     */
    public Builder environment(Map<String, String> newEnvironment) {
      this.environment = Map.copyOf(newEnvironment);
      return this;
    }

    /**
     * Builds the authority even where a real issuer is at hand, for example for tests that run in a
     * pod.
     *
     * @return this builder
     */
    public Builder force() {
      this.forced = true;
      return this;
    }

    /**
     * The wall clock that certificates are dated by.
     *
     * @param newClock the clock; the system's by default
     * @return this builder
     */
    public Builder clock(Clock newClock) {
      this.clock = newClock;
      return this;
    }

    /**
     * How long a root that has to be made is valid.
     *
     * @param lifetime 30 days by default
     * @return this builder
     * @throws IllegalArgumentException if it is below a second
     */
    public Builder rootLifetime(Duration lifetime) {
      requireLeafLifetime(lifetime);
      this.rootLifetime = lifetime;
      return this;
    }

    /**
     * Makes the authority and says so in the log.
     *
     * @return the authority
     * @throws IdentityException.Refused if a real issuer is at hand and nothing was forced, or the
     *     shared directory must not be used
     * @throws IdentityException.SourceFailed if the shared directory cannot be used
     */
    public DevelopmentCa build() {
      for (String sign : SIGNS_OF_A_REAL_ISSUER) {
        if (!forced && environment.containsKey(sign)) {
          throw new IdentityException.Refused(
              "a development certificate authority was asked for, but "
                  + sign
                  + " is set, so this process has a real issuer; take identities from the Istio CA,"
                  + " the SPIFFE Workload API or certificate files, or force the development"
                  + " authority if this really is a test");
        }
      }
      return new DevelopmentCa(this);
    }
  }
}
