// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides whether a peer, whose certificate has been verified already, is one we talk to.
 *
 * <p>The factories below cover the usual rules; their {@code toString} says the rule in words, and
 * failures quote it. There is no default and no empty rule: accepting everybody has to be asked for
 * by {@link #anyPeer}. An authorizer is called on every handshake, from any thread, and must not
 * block; if it throws, the peer is refused.
 *
 * <pre>{@code
 * PeerAuthorizer rule =
 *     PeerAuthorizer.exactly(SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/web"));
 * }</pre>
 */
@FunctionalInterface
public interface PeerAuthorizer {

  /**
   * Decides about one peer.
   *
   * @param peer the verified id
   * @return true to accept it
   */
  boolean authorize(SpiffeId peer);

  /**
   * Accepts every peer whose certificate verifies, of whatever trust domain we have a bundle for.
   *
   * @return the rule
   */
  static PeerAuthorizer anyPeer() {
    return new PeerRule("any peer", peer -> true);
  }

  /**
   * Accepts one id.
   *
   * @param id the id
   * @return the rule
   */
  static PeerAuthorizer exactly(SpiffeId id) {
    return new PeerRule(id.toString(), id::equals);
  }

  /**
   * Accepts each id of a list.
   *
   * @param ids the ids, at least one
   * @return the rule
   * @throws IllegalArgumentException if the list is empty
   */
  static PeerAuthorizer oneOf(Collection<SpiffeId> ids) {
    Set<SpiffeId> copy = Set.copyOf(ids);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty list of peers would accept nobody (expected: at least one id;"
              + " to accept every verified peer say PeerAuthorizer.anyPeer())");
    }
    return new PeerRule(PeerRule.oneOf(copy), copy::contains);
  }

  /**
   * Accepts every workload of a trust domain.
   *
   * @param trustDomain the trust domain
   * @return the rule
   */
  static PeerAuthorizer memberOf(TrustDomain trustDomain) {
    return new PeerRule(
        "a member of " + trustDomain, peer -> peer.trustDomain().equals(trustDomain));
  }

  /**
   * Accepts an id and everything below it, by whole path segments: {@code spiffe://t/a} covers
   * {@code spiffe://t/a/b} and not {@code spiffe://t/ab}.
   *
   * @param prefix the id at the top, for example that of a namespace
   * @return the rule
   */
  static PeerAuthorizer pathPrefix(SpiffeId prefix) {
    return new PeerRule("at or below " + prefix, peer -> peer.isAtOrBelow(prefix));
  }

  /**
   * Accepts a peer that every one of the rules accepts.
   *
   * @param rules the rules, at least one
   * @return the rule
   * @throws IllegalArgumentException if there is no rule
   */
  static PeerAuthorizer allOf(PeerAuthorizer... rules) {
    List<PeerAuthorizer> copy = atLeastOne(rules);
    return new PeerRule(
        "all of " + copy, peer -> copy.stream().allMatch(rule -> rule.authorize(peer)));
  }

  /**
   * Accepts a peer that at least one of the rules accepts.
   *
   * @param rules the rules, at least one
   * @return the rule
   * @throws IllegalArgumentException if there is no rule
   */
  static PeerAuthorizer anyOf(PeerAuthorizer... rules) {
    List<PeerAuthorizer> copy = atLeastOne(rules);
    return new PeerRule(
        "any of " + copy, peer -> copy.stream().anyMatch(rule -> rule.authorize(peer)));
  }

  /**
   * Accepts a peer that the rule refuses. It can accept nearly everybody: combine it with {@link
   * #allOf}.
   *
   * @param rule the rule to turn round
   * @return the rule
   */
  static PeerAuthorizer not(PeerAuthorizer rule) {
    return new PeerRule("not " + rule, peer -> !rule.authorize(peer));
  }

  /**
   * Accepts each id of a set that may change: it is asked for anew on every handshake. An empty set
   * accepts nobody.
   *
   * @param ids gives the set that counts now; must be quick
   * @return the rule
   */
  static PeerAuthorizer live(Supplier<? extends Set<SpiffeId>> ids) {
    return new PeerRule("one of a live set", peer -> ids.get().contains(peer));
  }

  private static List<PeerAuthorizer> atLeastOne(PeerAuthorizer... rules) {
    if (rules.length == 0) {
      throw new IllegalArgumentException(
          "no rules given (expected: at least one; to accept every verified peer say"
              + " PeerAuthorizer.anyPeer())");
    }
    return List.of(rules);
  }
}
