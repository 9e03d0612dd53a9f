// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.text.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The URIs among a certificate's subject alternative names.
 *
 * <p>Read from the bytes of the extension. The JDK's own list silently becomes null (17) or throws
 * (25) when a URI is malformed, and mixes strings with byte arrays; and a general ASN.1 reader
 * descends into names that we only want to skip.
 */
final class UriNames {

  private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";

  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;

  /** GeneralName ::= CHOICE { ..., uniformResourceIdentifier [6] IA5String, ... }, RFC 5280. */
  private static final int URI = 0x86;

  private static final int URI_CONSTRUCTED = 0xA6;

  private UriNames() {}

  /** The one SPIFFE ID of a leaf; URIs of every scheme count towards "exactly one". */
  static SpiffeId onlyId(X509Certificate leaf) throws PeerRejectedException {
    List<String> uris = read(leaf.getExtensionValue(SUBJECT_ALTERNATIVE_NAME));
    if (uris.isEmpty()) {
      throw refused(
          PeerRejection.NO_URI_SAN,
          "the leaf has no URI among its subject alternative names (expected: one SPIFFE ID)");
    }
    if (uris.size() > 1) {
      throw refused(
          PeerRejection.MULTIPLE_URI_SAN,
          "the leaf has %d URIs among its subject alternative names (expected: one): '%s', '%s'"
              .formatted(
                  uris.size(), Printable.escape(uris.get(0)), Printable.escape(uris.get(1))));
    }
    try {
      return SpiffeId.parse(uris.get(0));
    } catch (InvalidSpiffeIdException e) {
      throw new PeerRejectedException(
          PeerRejection.BAD_SPIFFE_ID, null, "subject alternative name: " + e.getMessage(), e);
    }
  }

  /** All URIs of an extension's value, as {@code getExtensionValue} gives it. */
  static List<String> read(byte @Nullable [] extension) throws PeerRejectedException {
    if (extension == null) {
      return List.of();
    }
    ByteBuffer names = enter(SEQUENCE, enter(OCTET_STRING, ByteBuffer.wrap(extension)));
    List<String> uris = new ArrayList<>();
    while (names.hasRemaining()) {
      int tag = names.get() & 0xFF;
      ByteBuffer value = value(names);
      if (tag == URI_CONSTRUCTED) {
        throw unreadable();
      }
      if (tag == URI) {
        // One character a byte, so that no byte outside ASCII is mistaken for a legal one.
        uris.add(StandardCharsets.ISO_8859_1.decode(value).toString());
      }
    }
    return uris;
  }

  private static ByteBuffer enter(int tag, ByteBuffer der) throws PeerRejectedException {
    if (!der.hasRemaining() || (der.get() & 0xFF) != tag) {
      throw unreadable();
    }
    ByteBuffer content = value(der);
    if (der.hasRemaining()) {
      throw unreadable();
    }
    return content;
  }

  /** Reads a length and cuts the content off. */
  private static ByteBuffer value(ByteBuffer der) throws PeerRejectedException {
    int length = length(der);
    if (length < 0 || length > der.remaining()) {
      throw unreadable();
    }
    ByteBuffer content = der.slice(der.position(), length);
    der.position(der.position() + length);
    return content;
  }

  private static int length(ByteBuffer der) {
    if (!der.hasRemaining()) {
      return -1;
    }
    int first = der.get() & 0xFF;
    int more = first - 0x80;
    if (more < 0) {
      return first;
    }
    // Three bytes of length are more than a whole chain may have.
    if (more == 0 || more > 3 || more > der.remaining()) {
      return -1;
    }
    int length = 0;
    for (int i = 0; i < more; i++) {
      length = (length << 8) | (der.get() & 0xFF);
    }
    return length;
  }

  private static PeerRejectedException unreadable() {
    return refused(PeerRejection.PARSE, "the subject alternative names of the leaf are malformed");
  }

  private static PeerRejectedException refused(PeerRejection reason, String detail) {
    return new PeerRejectedException(reason, null, detail, null);
  }
}
