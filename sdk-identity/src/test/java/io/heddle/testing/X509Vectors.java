// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import static io.heddle.identity.PeerRejection.ANCHOR_EXPIRED;
import static io.heddle.identity.PeerRejection.BAD_SPIFFE_ID;
import static io.heddle.identity.PeerRejection.CRITICAL_EXTENSION;
import static io.heddle.identity.PeerRejection.EKU;
import static io.heddle.identity.PeerRejection.EXPIRED;
import static io.heddle.identity.PeerRejection.KEY_USAGE;
import static io.heddle.identity.PeerRejection.LEAF_IS_CA;
import static io.heddle.identity.PeerRejection.LEAF_SIGNING_USAGE;
import static io.heddle.identity.PeerRejection.MULTIPLE_URI_SAN;
import static io.heddle.identity.PeerRejection.NAME_CONSTRAINTS;
import static io.heddle.identity.PeerRejection.NOT_YET_VALID;
import static io.heddle.identity.PeerRejection.NO_BUNDLE;
import static io.heddle.identity.PeerRejection.NO_PATH;
import static io.heddle.identity.PeerRejection.NO_URI_SAN;
import static io.heddle.identity.PeerRejection.PARSE;
import static io.heddle.identity.PeerRejection.PATH_LENGTH;
import static io.heddle.identity.PeerRejection.ROOT_PATH;
import static io.heddle.identity.PeerRejection.SIGNING_USAGE;
import static io.heddle.identity.PeerRejection.WEAK_KEY;
import static io.heddle.identity.PeerRejection.WEAK_SIGNATURE;

import io.heddle.identity.PeerRejection;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.internal.x509.PeerRole;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;

/**
 * Every kind of chain that a peer may present, and the verdict on it. The list is for whoever
 * verifies peers: the validator alone, and each TLS engine with real handshakes.
 */
public final class X509Vectors {

  private static final String ID = "spiffe://a.test/ns/shop/sa/web";

  private final Clock clock;
  private final TestPki pki;
  private final TestAuthority root;
  private final TestAuthority intermediate;
  private final List<X509Vector> vectors = new ArrayList<>();

  private X509Vectors(Clock clock) {
    this.clock = clock;
    this.pki = TestPki.create("a.test", clock);
    this.root = pki.root();
    this.intermediate = root.intermediate("int", -1);
  }

  /** All vectors, with fresh certificates dated by the clock. */
  public static List<X509Vector> all(Clock clock) {
    X509Vectors made = new X509Vectors(clock);
    made.chains();
    made.usages();
    made.purposes();
    made.names();
    made.times();
    made.authorities();
    made.keysAndSignatures();
    return List.copyOf(made.vectors);
  }

  private void chains() {
    IssuedCertificate leaf = root.leaf(ID);
    IssuedCertificate below = intermediate.leaf(ID);
    X509Certificate anchor = root.certificate();
    X509Certificate middle = intermediate.certificate();
    X509Certificate unrelated = TestAuthority.root("unrelated", clock).certificate();
    good("plain leaf", leaf);
    good("leaf and intermediate", below);
    good("root at the end", below, below.certificate(), middle, anchor);
    good("leaf, root, intermediate", below, below.certificate(), anchor, middle);
    good("unrelated authority appended", below, below.certificate(), middle, unrelated);
    trusting("intermediate is the anchor", below, below.chain(), List.of(middle), null);
    bad("missing intermediate", NO_PATH, below, below.certificate());
    bad("root as peer", LEAF_IS_CA, leaf, anchor);
    bad("intermediate as peer", LEAF_IS_CA, leaf, middle);
    IssuedCertificate selfSigned = root.leaf().uri(ID).subject("CN=self").selfSign();
    bad("self-signed leaf, unknown", NO_PATH, selfSigned);
    trusting(
        "self-signed leaf, pinned as anchor",
        selfSigned,
        selfSigned.chain(),
        List.of(selfSigned.certificate()),
        SIGNING_USAGE);
    bad("leaf issued by another leaf", SIGNING_USAGE, leafBelowLeaf());
    bad("one signature byte flipped", NO_PATH, flipped(leaf));
    bad("no bundle for the trust domain", NO_BUNDLE, root.leaf("spiffe://other.test/a"));
    trusting("empty bundle", leaf, leaf.chain(), List.of(), NO_BUNDLE);
  }

  private IssuedCertificate leafBelowLeaf() {
    IssuedCertificate upper = root.leaf().uri("spiffe://a.test/upper").subject("CN=up").issue();
    TestAuthority pretended =
        new TestAuthority(
            upper.certificate(), upper.privateKey(), KeyKind.P256, upper.chain(), clock);
    return pretended.leaf(ID);
  }

  private static IssuedCertificate flipped(IssuedCertificate leaf) {
    byte[] der = leaf.der().clone();
    der[der.length - 1] ^= 1;
    return new IssuedCertificate(der, leaf.privateKey(), leaf.intermediates());
  }

  private void usages() {
    good("no basic constraints", leaf().noBasicConstraints().issue());
    bad("leaf is an authority", LEAF_IS_CA, leaf().authority(-1).issue());
    bad("no key usage", KEY_USAGE, leaf().keyUsage(CertificateRecipe.NO_KEY_USAGE).issue());
    good("key usage not critical", leaf().keyUsageNotCritical().issue());
    bad("key agreement only", KEY_USAGE, leaf().keyUsage(KeyUsage.keyAgreement).issue());
    bad("key encipherment only", KEY_USAGE, leaf().keyUsage(KeyUsage.keyEncipherment).issue());
    bad(
        "digital signature and certificate signing",
        LEAF_SIGNING_USAGE,
        leaf().keyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign).issue());
    bad(
        "digital signature and list signing",
        LEAF_SIGNING_USAGE,
        leaf().keyUsage(KeyUsage.digitalSignature | KeyUsage.cRLSign).issue());
    good("digital signature only", leaf().keyUsage(KeyUsage.digitalSignature).issue());
    good(
        "digital signature, encipherment, agreement",
        leaf()
            .keyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.keyAgreement)
            .issue());
    bad(
        "unknown critical extension",
        CRITICAL_EXTENSION,
        leaf().unknownCriticalExtension().issue());
  }

  private void purposes() {
    KeyPurposeId client = KeyPurposeId.id_kp_clientAuth;
    KeyPurposeId server = KeyPurposeId.id_kp_serverAuth;
    good("no extended key usage", leaf().purposes().issue());
    good("both purposes, critical", leaf().purposesCritical().issue());
    good("any purpose", leaf().purposes(KeyPurposeId.anyExtendedKeyUsage).issue());
    inRole("client purpose, as client", PeerRole.CLIENT, leaf().purposes(client).issue(), null);
    inRole("client purpose, as server", PeerRole.SERVER, leaf().purposes(client).issue(), EKU);
    inRole("server purpose, as client", PeerRole.CLIENT, leaf().purposes(server).issue(), EKU);
    inRole("server purpose, as server", PeerRole.SERVER, leaf().purposes(server).issue(), null);
    KeyPurposeId code = KeyPurposeId.id_kp_codeSigning;
    bad("code signing purpose", EKU, leaf().purposes(code).issue());
  }

  private void names() {
    bad("no subject alternative names", NO_URI_SAN, noName().noSubjectAlternativeNames().issue());
    bad("empty subject alternative names", NO_URI_SAN, noName().issue());
    bad("host name only", NO_URI_SAN, noName().dns("web.shop.svc").issue());
    good("URI, host name, address, mail", namedInEveryWay());
    good("URI and other name", leaf().otherName((byte) 1, (byte) 2, (byte) 3).issue());
    bad("two SPIFFE ids", MULTIPLE_URI_SAN, leaf().uri("spiffe://a.test/admin").issue());
    bad("one SPIFFE id twice", MULTIPLE_URI_SAN, leaf().uri(ID).issue());
    bad("SPIFFE id and https", MULTIPLE_URI_SAN, leaf().uri("https://example.test/x").issue());
    bad("https only", BAD_SPIFFE_ID, noName().uri("https://example.test/x").issue());
    bad("trust domain only", ROOT_PATH, noName().uri("spiffe://a.test").issue());
    for (String id :
        List.of(
            "spiffe://a.test/a/",
            "spiffe://a.test/a%20b",
            "spiffe://a.test:443/a",
            "spiffe://a.test/bad path",
            "spiffe://A.test/a",
            "SPIFFE://a.test/a")) {
      bad("id '" + id + "'", BAD_SPIFFE_ID, noName().uri(id).issue());
    }
    TrustDomain underscore = TrustDomain.parse("my_td");
    IssuedCertificate odd = root.leaf("spiffe://my_td/a");
    TrustBundle bundle = TrustBundle.of(underscore, List.of(root.certificate()));
    add("underscore in the trust domain", odd, odd.chain(), TrustBundles.of(bundle), null);
    good("empty subject, critical names", leaf().subject("").criticalNames().issue());
    IssuedCertificate nameless = leaf().subject("").issue();
    bad("empty subject, names not critical", PARSE, nameless, nameless.leniently());
  }

  private IssuedCertificate namedInEveryWay() {
    return leaf().dns("web.shop.svc").ip("127.0.0.1").email("web@a.test").issue();
  }

  private void times() {
    bad("expired a second ago", EXPIRED, leaf().notAfter(clock.instant().minusSeconds(1)).issue());
    good("begins in 30 s", leaf().notBefore(clock.instant().plusSeconds(30)).issue());
    bad(
        "begins in 120 s",
        NOT_YET_VALID,
        leaf().notBefore(clock.instant().plusSeconds(120)).issue());
    TestAuthority old =
        TestAuthority.root(
            "expired", KeyKind.P256.generate(), clock, clock.instant().minusSeconds(5));
    IssuedCertificate under = old.leaf(ID);
    trusting("anchor expired", under, under.chain(), List.of(old.certificate()), ANCHOR_EXPIRED);
    bad(
        "intermediate expired",
        EXPIRED,
        root.intermediate("late", 0, clock.instant().minusSeconds(1)).leaf(ID));
  }

  private void authorities() {
    TestAuthority first = TestAuthority.root("same name", clock);
    TestAuthority second = TestAuthority.root("same name", clock);
    List<X509Certificate> both = List.of(first.certificate(), second.certificate());
    IssuedCertificate underFirst = first.leaf(ID);
    IssuedCertificate underSecond = second.leaf(ID);
    trusting("old of two roots of one name", underFirst, underFirst.chain(), both, null);
    trusting("new of two roots of one name", underSecond, underSecond.chain(), both, null);
    TestAuthority closed = root.intermediate("closed", 0);
    bad("path length violated", PATH_LENGTH, closed.intermediate("below", -1).leaf(ID));
    good("path length kept", closed.leaf(ID));
    good("name constraint kept", constrained("a.test"));
    bad("name constraint violated", NAME_CONSTRAINTS, constrained("b.test"));
    CertificateRecipe silent =
        root.intermediateRecipe("silent", -1).keyUsage(CertificateRecipe.NO_KEY_USAGE);
    bad("intermediate without key usage", SIGNING_USAGE, root.intermediate(silent).leaf(ID));
    CertificateRecipe forbidden =
        root.intermediateRecipe("forbidden", -1).keyUsage(KeyUsage.digitalSignature);
    bad("intermediate may not sign", SIGNING_USAGE, root.intermediate(forbidden).leaf(ID));
  }

  private IssuedCertificate constrained(String host) {
    CertificateRecipe recipe =
        root.intermediateRecipe("constrained to " + host, -1).permittedUriHost(host);
    return root.intermediate(recipe).leaf(ID);
  }

  private void keysAndSignatures() {
    for (KeyKind kind : List.of(KeyKind.RSA_2048, KeyKind.P384, KeyKind.P521, KeyKind.ED25519)) {
      good("key " + kind, leaf().key(kind).issue());
    }
    bad("key RSA_1024", WEAK_KEY, leaf().key(KeyKind.RSA_1024).issue());
    bad("key ED448", WEAK_KEY, leaf().key(KeyKind.ED448).issue());
    bad("signed with SHA-1", WEAK_SIGNATURE, leaf().signature("SHA1withECDSA").issue());
    CertificateRecipe weak = root.intermediateRecipe("weak", -1).key(KeyKind.RSA_1024);
    bad("intermediate with a weak key", WEAK_KEY, root.intermediate(weak).leaf(ID));
  }

  private CertificateRecipe noName() {
    return root.leaf();
  }

  private CertificateRecipe leaf() {
    return root.leaf().uri(ID);
  }

  private void good(String name, IssuedCertificate leaf, X509Certificate... chain) {
    add(name, leaf, chainOf(leaf, chain), pki.bundles(), null);
  }

  private void bad(
      String name, PeerRejection reason, IssuedCertificate leaf, X509Certificate... chain) {
    add(name, leaf, chainOf(leaf, chain), pki.bundles(), reason);
  }

  private static List<X509Certificate> chainOf(IssuedCertificate leaf, X509Certificate... chain) {
    return chain.length == 0 ? leaf.chain() : Arrays.asList(chain);
  }

  private void trusting(
      String name,
      IssuedCertificate leaf,
      List<X509Certificate> chain,
      Collection<X509Certificate> anchors,
      PeerRejection reason) {
    TrustBundle bundle = TrustBundle.of(pki.trustDomain(), anchors);
    add(name, leaf, chain, TrustBundles.of(bundle), reason);
  }

  private void inRole(String name, PeerRole role, IssuedCertificate leaf, PeerRejection reason) {
    PrivateKey key = leaf.privateKey();
    Optional<PeerRejection> verdict = Optional.ofNullable(reason);
    vectors.add(new X509Vector(name, leaf.chain(), key, pki.bundles(), role, verdict));
  }

  private void add(
      String name,
      IssuedCertificate leaf,
      List<X509Certificate> chain,
      TrustBundles bundles,
      PeerRejection reason) {
    Optional<PeerRejection> verdict = Optional.ofNullable(reason);
    vectors.add(new X509Vector(name, chain, leaf.privateKey(), bundles, PeerRole.CLIENT, verdict));
  }
}
