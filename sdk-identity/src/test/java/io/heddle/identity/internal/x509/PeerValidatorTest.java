// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static io.heddle.identity.PeerRejection.CHAIN_TOO_LARGE;
import static io.heddle.identity.PeerRejection.EXPIRED;
import static io.heddle.identity.PeerRejection.NOT_AUTHORIZED;
import static io.heddle.identity.PeerRejection.NOT_YET_VALID;
import static io.heddle.identity.PeerRejection.NO_BUNDLE;
import static io.heddle.identity.PeerRejection.NO_CERTIFICATE;
import static io.heddle.identity.PeerRejection.NO_PATH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.testing.CapturedLog;
import io.heddle.testing.CertificateRecipe;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.KeyKind;
import io.heddle.testing.ManualTime;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestPki;
import java.security.KeyPair;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerValidatorTest {

  private static final String ID = "spiffe://mesh.test/ns/shop/sa/web";

  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
  private final Clock clock = time.clock();
  private final TestPki pki = TestPki.create("mesh.test", clock);
  private final TestPki partner = TestPki.create("partner.test", clock);
  private final PeerValidator validator = new PeerValidator(clock);

  private PeerSvid validate(IssuedCertificate leaf, TrustBundles bundles) throws Exception {
    return validator.validate(array(leaf.chain()), bundles, PeerRole.CLIENT);
  }

  private static Certificate[] array(List<X509Certificate> chain) {
    return chain.toArray(new Certificate[0]);
  }

  private PeerRejectedException rejection(IssuedCertificate leaf, TrustBundles bundles) {
    return rejection(array(leaf.chain()), bundles);
  }

  private PeerRejectedException rejection(Certificate[] chain, TrustBundles bundles) {
    PeerRejectedException rejected =
        catchThrowableOfType(
            PeerRejectedException.class, () -> validator.validate(chain, bundles, PeerRole.CLIENT));
    assertThat(rejected).as("accepted").isNotNull();
    return rejected;
  }

  private TrustBundles bundles(TestAuthority... roots) {
    List<X509Certificate> anchors = new ArrayList<>();
    for (TestAuthority root : roots) {
      anchors.add(root.certificate());
    }
    return TrustBundles.of(TrustBundle.of(pki.trustDomain(), anchors));
  }

  @Test
  @DisplayName("ID-007 old and new root count while both are in the bundle, then only the new one")
  void rootRotation() throws Exception {
    TestAuthority old = TestAuthority.root("mesh root", clock);
    TestAuthority renewed = TestAuthority.root("mesh root", clock);
    IssuedCertificate underOld = old.leaf(ID);
    IssuedCertificate underNew = renewed.leaf(ID);
    TrustBundles both = bundles(old, renewed);

    assertThat(validate(underOld, both).id()).hasToString(ID);
    assertThat(validate(underNew, both).id()).hasToString(ID);

    TrustBundles onlyNew = bundles(renewed);
    assertThat(rejection(underOld, onlyNew).reason()).isEqualTo(NO_PATH);
    assertThat(validate(underNew, onlyNew).id()).hasToString(ID);
  }

  @Test
  @DisplayName("ID-008 a withdrawn federated bundle refuses its peers at once, and no others")
  void federatedBundleWithdrawn() throws Exception {
    IssuedCertificate foreign = partner.root().leaf("spiffe://partner.test/a");
    TrustBundles federated = pki.bundles(partner);
    assertThat(validate(foreign, federated).id()).hasToString("spiffe://partner.test/a");

    assertThat(rejection(foreign, pki.bundles()).reason()).isEqualTo(NO_BUNDLE);
    assertThat(validate(pki.root().leaf(ID), pki.bundles()).id()).hasToString(ID);
  }

  @Test
  @DisplayName("ID-009 the authority of a federated trust domain cannot speak for ours")
  void foreignAuthority() {
    IssuedCertificate forged = partner.root().leaf(ID);

    PeerRejectedException rejected = rejection(forged, pki.bundles(partner));

    assertThat(rejected.reason()).isEqualTo(NO_PATH);
    assertThat(rejected.claimedId()).contains(SpiffeId.parse(ID));
  }

  @Test
  @DisplayName("ID-012 a chain seen a thousand times is searched once, until the bundles change")
  void cache() throws Exception {
    IssuedCertificate leaf = pki.root().leaf(ID);
    TrustBundles bundles = pki.bundles();

    for (int i = 0; i < 1000; i++) {
      validate(leaf, bundles);
    }
    assertThat(validator.statistics().pathSearches()).isEqualTo(1);
    assertThat(validator.statistics().cacheHits()).isEqualTo(999);

    validate(leaf, pki.bundles(partner));
    assertThat(validator.statistics().pathSearches()).isEqualTo(2);
    assertThat(validator.cachedChains()).isEqualTo(1);
  }

  @Test
  @DisplayName("bundles of equal content keep the cache: a renewed own certificate costs nothing")
  void equalBundlesKeepTheCache() throws Exception {
    IssuedCertificate leaf = pki.root().leaf(ID);

    validate(leaf, pki.bundles());
    validate(leaf, pki.bundles());

    assertThat(validator.statistics().pathSearches()).isEqualTo(1);
  }

  @Test
  @DisplayName("the cache keeps the roles apart")
  void cacheKeepsRolesApart() throws Exception {
    IssuedCertificate leaf =
        pki.root().leaf().uri(ID).purposes(KeyPurposeId.id_kp_serverAuth).issue();
    TrustBundles bundles = pki.bundles();
    validator.validate(array(leaf.chain()), bundles, PeerRole.SERVER);

    assertThat(rejection(leaf, bundles).reason()).isEqualTo(PeerRejection.EKU);
  }

  @Test
  @DisplayName("ID-013 a cached chain is refused when its leaf has expired")
  void cachedLeafExpires() throws Exception {
    IssuedCertificate leaf =
        pki.root().leaf().uri(ID).notAfter(clock.instant().plusSeconds(10)).issue();
    validate(leaf, pki.bundles());

    time.jump(Duration.ofSeconds(10));
    assertThat(validate(leaf, pki.bundles()).id()).hasToString(ID);

    time.jump(Duration.ofSeconds(1));
    assertThat(rejection(leaf, pki.bundles()).reason()).isEqualTo(EXPIRED);
    assertThat(validator.cachedChains()).isZero();
  }

  @Test
  @DisplayName("ID-013 a cached chain is refused when its intermediate has expired")
  void cachedIntermediateExpires() throws Exception {
    TestAuthority shortLived = pki.root().intermediate("short", 0, clock.instant().plusSeconds(10));
    IssuedCertificate leaf = shortLived.leaf(ID);
    validate(leaf, pki.bundles());

    time.jump(Duration.ofSeconds(11));

    assertThat(rejection(leaf, pki.bundles()))
        .matches(e -> e.reason() == EXPIRED)
        .hasMessageContaining("intermediate 'CN=short'");
  }

  @Test
  @DisplayName("ID-014 a leaf that begins 45 s from now is accepted: our clock may be behind")
  void clockBehind45() throws Exception {
    IssuedCertificate leaf = beginningIn(45);

    assertThat(validate(leaf, pki.bundles()).id()).hasToString(ID);
  }

  @Test
  @DisplayName("ID-014 a leaf that begins 90 s from now is refused with a hint at the clocks")
  void clockBehind90() {
    PeerRejectedException rejected = rejection(beginningIn(90), pki.bundles());

    assertThat(rejected.reason()).isEqualTo(NOT_YET_VALID);
    assertThat(rejected).hasMessageContaining("check the clocks").hasMessageContaining("90 s");
  }

  @Test
  @DisplayName(
      "ID-014 three early peers within a minute raise the suspicion of our own clock, once")
  void ownClockSuspected() {
    try (CapturedLog log = new CapturedLog()) {
      for (int i = 0; i < 6; i++) {
        rejection(early("spiffe://mesh.test/" + i), pki.bundles());
        assertThat(log.warnings("clock of this machine seems to be behind")).hasSize(i < 2 ? 0 : 1);
      }
    }
  }

  @Test
  @DisplayName("early peers that nobody vouches for, or the same one again, raise no suspicion")
  void strangersRaiseNoSuspicion() {
    TestAuthority stranger = TestAuthority.root("stranger", clock);
    try (CapturedLog log = new CapturedLog()) {
      for (int i = 0; i < 4; i++) {
        rejection(early("spiffe://mesh.test/same"), pki.bundles());
        rejection(early(stranger, "spiffe://mesh.test/" + i), pki.bundles());
      }

      assertThat(log.warnings("clock")).isEmpty();
    }
  }

  @Test
  @DisplayName("early peers further apart than a minute raise no suspicion")
  void rareEarlyPeers() {
    try (CapturedLog log = new CapturedLog()) {
      for (int i = 0; i < 4; i++) {
        rejection(early("spiffe://mesh.test/" + i), pki.bundles());
        time.jump(Duration.ofSeconds(40));
      }

      assertThat(log.warnings("clock")).isEmpty();
    }
  }

  private IssuedCertificate early(String id) {
    return early(pki.root(), id);
  }

  private IssuedCertificate early(TestAuthority issuer, String id) {
    return issuer.leaf().uri(id).notBefore(clock.instant().plusSeconds(120)).issue();
  }

  @Test
  @DisplayName("the tolerance for clocks is 60 s, exclusive")
  void toleranceIsExclusive() throws Exception {
    assertThat(rejection(beginningIn(60), pki.bundles()).reason()).isEqualTo(NOT_YET_VALID);
    assertThat(validate(beginningIn(59), pki.bundles()).id()).hasToString(ID);
  }

  @Test
  @DisplayName("a clock set back makes a cached chain not yet valid again")
  void clockSetBack() throws Exception {
    IssuedCertificate leaf = pki.root().leaf(ID);
    validate(leaf, pki.bundles());

    time.jump(Duration.ofHours(-1));

    assertThat(rejection(leaf, pki.bundles()).reason()).isEqualTo(NOT_YET_VALID);
  }

  private IssuedCertificate beginningIn(int seconds) {
    return pki.root().leaf().uri(ID).notBefore(clock.instant().plusSeconds(seconds)).issue();
  }

  @Test
  @Timeout(20)
  @DisplayName("ID-015 a leaf with 10001 names is refused by its size, within bounds")
  void manyNames() {
    CertificateRecipe recipe = pki.root().leaf().uri(ID);
    for (int i = 0; i < 10_000; i++) {
      recipe.dns("host" + i + ".mesh.test");
    }

    assertThat(rejection(recipe.issue(), pki.bundles()).reason()).isEqualTo(CHAIN_TOO_LARGE);
  }

  @Test
  @Timeout(20)
  @DisplayName("ID-015 a chain of 50 certificates is refused by its length")
  void longChain() {
    X509Certificate leaf = pki.root().leaf(ID).certificate();
    Certificate[] fifty = Collections.nCopies(50, leaf).toArray(new Certificate[0]);

    assertThat(rejection(fifty, pki.bundles()).reason()).isEqualTo(CHAIN_TOO_LARGE);
  }

  @Test
  @Timeout(20)
  @DisplayName("ID-015 nine authorities of one name, to be tried in every order, are refused")
  void authoritiesOfOneName() {
    KeyPair keys = KeyKind.P256.generate();
    TestAuthority loop = TestAuthority.root("loop", keys, clock, clock.instant().plusSeconds(3600));
    List<X509Certificate> chain = new ArrayList<>(loop.leaf(ID).chain());
    for (int i = 0; i < 9; i++) {
      chain.add(loop.intermediateRecipe("loop", -1).key(keys).issue().certificate());
    }

    assertThat(rejection(array(chain), pki.bundles()).reason()).isEqualTo(CHAIN_TOO_LARGE);
  }

  @Test
  @Timeout(20)
  @DisplayName("ID-015 the worst chain that is not refused by its form ends in bounded time")
  void worstChain() {
    List<X509Certificate> chain = new ArrayList<>();
    KeyPair keys = KeyKind.P256.generate();
    TestAuthority a = TestAuthority.root("a", keys, clock, clock.instant().plusSeconds(3600));
    TestAuthority b = TestAuthority.root("b", keys, clock, clock.instant().plusSeconds(3600));
    chain.addAll(a.leaf(ID).chain());
    for (int i = 0; i < 2; i++) {
      chain.add(a.intermediateRecipe("a", -1).key(keys).issue().certificate());
      chain.add(a.intermediateRecipe("b", -1).key(keys).issue().certificate());
      chain.add(b.intermediateRecipe("b", -1).key(keys).issue().certificate());
      chain.add(b.intermediateRecipe("a", -1).key(keys).issue().certificate());
    }

    assertThat(rejection(array(chain), pki.bundles()).reason()).isEqualTo(NO_PATH);
  }

  @Test
  @DisplayName("ID-093 a newline in the id of a peer's certificate makes no second line")
  void hostileId() {
    IssuedCertificate leaf =
        pki.root().leaf().uri("spiffe://mesh.test/a\nINFO all is well").issue();

    assertThat(rejection(leaf, pki.bundles()).getMessage())
        .doesNotContain("\n")
        .contains("a\\u000AINFO all is well");
  }

  @Test
  @DisplayName("ID-093 hostile names of authorities are escaped too")
  void hostileAuthorityName() {
    TestAuthority stranger = TestAuthority.root("evil\\0Aname", clock);

    PeerRejectedException rejected = rejection(stranger.leaf().uri(ID).issue(), pki.bundles());

    assertThat(rejected.getMessage()).doesNotContain("\n").contains("evil");
  }

  @Test
  @DisplayName("ID-010 a name that equals the wanted host does not make up for another id")
  void hostNameDoesNotCount() throws Exception {
    IssuedCertificate leaf =
        pki.root()
            .leaf()
            .subject("CN=web.shop.svc")
            .dns("web.shop.svc")
            .uri("spiffe://mesh.test/ns/shop/sa/other")
            .issue();
    PeerSvid peer = validator.validate(array(leaf.chain()), pki.bundles(), PeerRole.SERVER);

    PeerRejectedException rejected =
        catchThrowableOfType(
            PeerRejectedException.class,
            () -> PeerValidator.authorize(peer, PeerAuthorizer.exactly(SpiffeId.parse(ID))));

    assertThat(rejected.reason()).isEqualTo(NOT_AUTHORIZED);
    assertThat(rejected)
        .hasMessageContaining("spiffe://mesh.test/ns/shop/sa/other")
        .hasMessageContaining("expected " + ID);
  }

  @Test
  @DisplayName("an authorizer that fails refuses the peer")
  void failingAuthorizer() throws Exception {
    PeerSvid peer = validate(pki.root().leaf(ID), pki.bundles());

    PeerRejectedException rejected =
        catchThrowableOfType(
            PeerRejectedException.class,
            () ->
                PeerValidator.authorize(
                    peer,
                    id -> {
                      throw new IllegalStateException("not loaded");
                    }));

    assertThat(rejected.reason()).isEqualTo(NOT_AUTHORIZED);
    assertThat(rejected).hasRootCauseMessage("not loaded");
  }

  @Test
  @DisplayName("ID-005 a live authorizer is asked at the next handshake, without a new validator")
  void liveAuthorizer() throws Exception {
    List<SpiffeId> allowed = new ArrayList<>();
    PeerAuthorizer rule = PeerAuthorizer.live(() -> Set.copyOf(allowed));
    PeerSvid peer = validate(pki.root().leaf(ID), pki.bundles());
    assertThat(
            catchThrowableOfType(
                PeerRejectedException.class, () -> PeerValidator.authorize(peer, rule)))
        .isNotNull();

    allowed.add(SpiffeId.parse(ID));

    PeerValidator.authorize(peer, rule);
  }

  @Test
  @DisplayName("B006 an expired intermediate is named, although the leaf is valid")
  void expiredIntermediate() {
    TestAuthority expired = pki.root().intermediate("int-7", 0, clock.instant().minusSeconds(1));

    PeerRejectedException rejected = rejection(expired.leaf(ID), pki.bundles());

    assertThat(rejected.reason()).isEqualTo(EXPIRED);
    assertThat(rejected).hasMessageContaining("intermediate 'CN=int-7' expired at");
  }

  @Test
  @DisplayName("B006 leaf and intermediate verify with only the root as anchor")
  void intermediatePresented() throws Exception {
    TestAuthority intermediate = pki.root().intermediate("int", 0);

    assertThat(validate(intermediate.leaf(ID), pki.bundles()).id()).hasToString(ID);
  }

  @Test
  @DisplayName("B016 an empty bundle fails its own peers only: no trust anchors for partner.test")
  void emptyBundle() throws Exception {
    TrustBundles bundles =
        TrustBundles.of(pki.bundle(), TrustBundle.of(TrustDomain.parse("partner.test"), List.of()));

    PeerRejectedException rejected =
        rejection(partner.root().leaf("spiffe://partner.test/a"), bundles);

    assertThat(rejected.reason()).isEqualTo(NO_BUNDLE);
    assertThat(rejected).hasMessageContaining("no trust anchors for partner.test");
    assertThat(validate(pki.root().leaf(ID), bundles).id()).hasToString(ID);
  }

  @Test
  @DisplayName("no certificate at all is a rejection")
  void noCertificate() {
    assertThat(rejection((Certificate[]) null, pki.bundles()).reason()).isEqualTo(NO_CERTIFICATE);
    assertThat(rejection(new Certificate[0], pki.bundles()).reason()).isEqualTo(NO_CERTIFICATE);
  }

  @Test
  @DisplayName("strict purposes demand both of an SVID that names any")
  void strictPurposes() throws Exception {
    PeerValidator strict =
        new PeerValidator(
            clock, new ValidationRules(Duration.ofSeconds(60), ValidationRules.Purposes.BOTH));
    IssuedCertificate one =
        pki.root().leaf().uri(ID).purposes(KeyPurposeId.id_kp_clientAuth).issue();
    IssuedCertificate none = pki.root().leaf().uri(ID).purposes().issue();

    PeerRejectedException rejected =
        catchThrowableOfType(
            PeerRejectedException.class,
            () -> strict.validate(array(one.chain()), pki.bundles(), PeerRole.CLIENT));

    assertThat(rejected.reason()).isEqualTo(PeerRejection.EKU);
    assertThat(strict.validate(array(none.chain()), pki.bundles(), PeerRole.CLIENT).id())
        .hasToString(ID);
  }

  @Test
  @DisplayName("a key usage that is not critical is accepted and counted")
  void keyUsageNotCritical() throws Exception {
    validate(pki.root().leaf().uri(ID).keyUsageNotCritical().issue(), pki.bundles());
    validate(pki.root().leaf(ID), pki.bundles());

    assertThat(validator.statistics().keyUsageNotCritical()).isEqualTo(1);
  }

  @Test
  @DisplayName("the peer's identity carries its chain and the end of its leaf")
  void peerSvid() throws Exception {
    IssuedCertificate leaf = pki.root().intermediate("int", 0).leaf(ID);

    PeerSvid peer = validate(leaf, pki.bundles());

    assertThat(peer.chain()).isEqualTo(leaf.chain());
    assertThat(peer.notAfter()).isEqualTo(leaf.certificate().getNotAfter().toInstant());
    assertThat(peer).hasToString("PeerSvid[" + ID + ", until " + peer.notAfter() + "]");
  }
}
