// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.text.Printable;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/**
 * The URIs among a certificate's subject alternative names.
 *
 * <p>Read from the bytes of the extension: the JDK's own list silently becomes null (17) or throws
 * (25) when a URI is malformed, and mixes strings with byte arrays.
 */
final class UriNames {

  private UriNames() {}

  /** The one SPIFFE ID of a leaf; URIs of every scheme count towards "exactly one". */
  static SpiffeId onlyId(X509Certificate leaf) throws PeerRejectedException {
    List<String> uris = read(leaf);
    if (uris.isEmpty()) {
      throw new PeerRejectedException(
          PeerRejection.NO_URI_SAN,
          null,
          "the leaf has no URI among its subject alternative names (expected: one SPIFFE ID)",
          null);
    }
    if (uris.size() > 1) {
      throw new PeerRejectedException(
          PeerRejection.MULTIPLE_URI_SAN,
          null,
          "the leaf has "
              + uris.size()
              + " URIs among its subject alternative names (expected: one), such as '"
              + Printable.escape(uris.get(0))
              + "' and '"
              + Printable.escape(uris.get(1))
              + "'",
          null);
    }
    try {
      return SpiffeId.parse(uris.get(0));
    } catch (InvalidSpiffeIdException e) {
      throw new PeerRejectedException(
          PeerRejection.BAD_SPIFFE_ID, null, "subject alternative name: " + e.getMessage(), e);
    }
  }

  private static List<String> read(X509Certificate leaf) throws PeerRejectedException {
    byte[] extension = leaf.getExtensionValue(Extension.subjectAlternativeName.getId());
    if (extension == null) {
      return List.of();
    }
    List<String> uris = new ArrayList<>();
    try {
      byte[] names = ASN1OctetString.getInstance(extension).getOctets();
      for (GeneralName name : GeneralNames.getInstance(names).getNames()) {
        if (name.getTagNo() == GeneralName.uniformResourceIdentifier) {
          uris.add(ASN1IA5String.getInstance(name.getName()).getString());
        }
      }
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      throw new PeerRejectedException(
          PeerRejection.PARSE, null, "the subject alternative names cannot be read", e);
    }
    return uris;
  }
}
