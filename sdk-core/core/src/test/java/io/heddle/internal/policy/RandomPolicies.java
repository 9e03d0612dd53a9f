// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.ip;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.Cidr;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Small random policies and connections over so few values that they often meet. */
final class RandomPolicies {
  private static final List<String> NAMESPACES = List.of("shop", "shop2", "pay", "a.c");
  private static final List<String> ACCOUNTS = List.of("web", "web2");
  private static final List<String> DOMAINS = List.of("mesh.test", "partner.test");
  private static final List<String> ADDRESSES =
      List.of("10.0.0.1", "10.0.0.2", "10.1.0.1", "2001:db8::1", "2001:db8:1::1");
  private static final List<String> PREFIXES =
      List.of("10.0.0.0/8", "10.0.0.0/31", "10.1.0.1", "2001:db8::/47", "::/0", "0.0.0.0/0");
  private static final List<Integer> PORTS = List.of(80, 8080, 9090);

  private final Random random;

  RandomPolicies(Random random) {
    this.random = random;
  }

  int upTo(int most) {
    return random.nextInt(most + 1);
  }

  AuthorizationPolicy policy(String name) {
    return new AuthorizationPolicy(
        "pay",
        name,
        Scope.NAMESPACE,
        random.nextBoolean() ? Action.ALLOW : Action.DENY,
        random.nextInt(5) == 0,
        several(3, this::rule));
  }

  ConnectionAttributes connection() {
    SpiffeId peer =
        switch (random.nextInt(6)) {
          case 0 -> null;
          case 1 -> SpiffeId.parse("spiffe://" + one(DOMAINS) + "/not/of/kubernetes");
          default ->
              SpiffeId.parse(
                  "spiffe://" + one(DOMAINS) + "/ns/" + one(NAMESPACES) + "/sa/" + one(ACCOUNTS));
        };
    return new ConnectionAttributes(ip(one(ADDRESSES)), peer, ip(one(ADDRESSES)), one(PORTS));
  }

  private Rule rule() {
    return new Rule(several(2, () -> new Clause(several(2, this::match))));
  }

  private Match match() {
    return new Match(
        sometimes(this::namespace),
        sometimes(() -> new ServiceAccountMatch(one(NAMESPACES), one(ACCOUNTS))),
        sometimes(this::principal),
        sometimes(() -> Cidr.parse(one(PREFIXES))),
        sometimes(() -> Cidr.parse(one(PREFIXES))),
        sometimes(() -> one(PORTS)));
  }

  private <T> Condition<T> sometimes(Supplier<T> value) {
    return random.nextInt(3) > 0
        ? Condition.unset()
        : new Condition<>(several(3, value), random.nextInt(3) > 0 ? List.of() : several(2, value));
  }

  private StringMatch namespace() {
    return switch (random.nextInt(5)) {
      case 0 -> new StringMatch.Prefix(random.nextBoolean() ? "shop" : "");
      case 1 -> new StringMatch.Suffix(random.nextBoolean() ? "2" : "");
      case 2 -> new StringMatch.Presence();
      default -> new StringMatch.Exact(random.nextInt(9) == 0 ? "" : one(NAMESPACES));
    };
  }

  private StringMatch principal() {
    return switch (random.nextInt(5)) {
      case 0 -> new StringMatch.Prefix(one(DOMAINS) + "/ns/");
      case 1 -> new StringMatch.Suffix("/sa/" + one(ACCOUNTS));
      case 2 -> new StringMatch.Presence();
      default ->
          new StringMatch.Exact(one(DOMAINS) + "/ns/" + one(NAMESPACES) + "/sa/" + one(ACCOUNTS));
    };
  }

  private <T> List<T> several(int most, Supplier<T> value) {
    return Stream.generate(value).limit(upTo(most)).toList();
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
