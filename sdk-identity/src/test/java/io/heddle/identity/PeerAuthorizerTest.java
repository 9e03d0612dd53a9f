// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PeerAuthorizerTest {

  private static final SpiffeId A = SpiffeId.parse("spiffe://t/a");
  private static final SpiffeId B = SpiffeId.parse("spiffe://t/b");
  private static final SpiffeId FOREIGN = SpiffeId.parse("spiffe://u/a");

  @Test
  @DisplayName("ID-003 a prefix covers itself and what is below it, by whole segments")
  void prefix() {
    PeerAuthorizer rule = PeerAuthorizer.pathPrefix(A);

    assertThat(rule.authorize(A)).isTrue();
    assertThat(rule.authorize(SpiffeId.parse("spiffe://t/a/b"))).isTrue();
    assertThat(rule.authorize(SpiffeId.parse("spiffe://t/ab"))).isFalse();
  }

  @Test
  @DisplayName("a prefix that is a trust domain does not cover a trust domain that begins like it")
  void prefixOfTrustDomain() {
    PeerAuthorizer rule = PeerAuthorizer.pathPrefix(SpiffeId.parse("spiffe://t"));

    assertThat(rule.authorize(A)).isTrue();
    assertThat(rule.authorize(SpiffeId.parse("spiffe://t.evil/a"))).isFalse();
  }

  @Test
  @DisplayName("ID-004 an empty list is refused, and the message names the accept-any rule")
  void emptyList() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PeerAuthorizer.oneOf(List.of()))
        .withMessageContaining("PeerAuthorizer.anyPeer()");
  }

  @Test
  @DisplayName("no rules to combine are refused: an empty conjunction would accept everybody")
  void emptyCombination() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PeerAuthorizer.allOf())
        .withMessageContaining("PeerAuthorizer.anyPeer()");
    assertThatIllegalArgumentException().isThrownBy(() -> PeerAuthorizer.anyOf());
  }

  @Test
  @DisplayName("ID-005 a live set is asked for each time, and an empty one accepts nobody")
  void liveSet() {
    AtomicReference<Set<SpiffeId>> allowed = new AtomicReference<>(Set.of(A));
    PeerAuthorizer rule = PeerAuthorizer.live(allowed::get);

    assertThat(rule.authorize(A)).isTrue();
    allowed.set(Set.of(B));
    assertThat(rule.authorize(A)).isFalse();
    assertThat(rule.authorize(B)).isTrue();
    allowed.set(Set.of());
    assertThat(rule.authorize(B)).isFalse();
  }

  @Test
  @DisplayName("exactly one id")
  void exactly() {
    assertThat(PeerAuthorizer.exactly(A).authorize(A)).isTrue();
    assertThat(PeerAuthorizer.exactly(A).authorize(B)).isFalse();
    assertThat(PeerAuthorizer.exactly(A).authorize(FOREIGN)).isFalse();
  }

  @Test
  @DisplayName("one of several ids")
  void oneOf() {
    PeerAuthorizer rule = PeerAuthorizer.oneOf(List.of(A, B));

    assertThat(rule.authorize(B)).isTrue();
    assertThat(rule.authorize(FOREIGN)).isFalse();
  }

  @Test
  @DisplayName("members of a trust domain")
  void memberOf() {
    PeerAuthorizer rule = PeerAuthorizer.memberOf(TrustDomain.parse("t"));

    assertThat(rule.authorize(A)).isTrue();
    assertThat(rule.authorize(FOREIGN)).isFalse();
  }

  @Test
  @DisplayName("any peer, when asked for by name")
  void anyPeer() {
    assertThat(PeerAuthorizer.anyPeer().authorize(FOREIGN)).isTrue();
  }

  @Test
  @DisplayName("rules combine")
  void combinations() {
    PeerAuthorizer member = PeerAuthorizer.memberOf(TrustDomain.parse("t"));
    PeerAuthorizer butNotB =
        PeerAuthorizer.allOf(member, PeerAuthorizer.not(PeerAuthorizer.exactly(B)));
    PeerAuthorizer either = PeerAuthorizer.anyOf(PeerAuthorizer.exactly(FOREIGN), butNotB);

    assertThat(butNotB.authorize(A)).isTrue();
    assertThat(butNotB.authorize(B)).isFalse();
    assertThat(either.authorize(FOREIGN)).isTrue();
    assertThat(either.authorize(B)).isFalse();
  }

  @Test
  @DisplayName("a rule says itself in words, briefly even when it names many ids")
  void words() {
    List<SpiffeId> many =
        IntStream.range(0, 1000).mapToObj(i -> SpiffeId.parse("spiffe://t/" + i)).toList();

    assertThat(PeerAuthorizer.exactly(A)).hasToString("spiffe://t/a");
    assertThat(PeerAuthorizer.oneOf(List.of(B, A)))
        .hasToString("one of [spiffe://t/a, spiffe://t/b]");
    assertThat(PeerAuthorizer.oneOf(many)).hasToString("one of 1000 ids");
    assertThat(PeerAuthorizer.not(PeerAuthorizer.anyPeer())).hasToString("not any peer");
  }
}
