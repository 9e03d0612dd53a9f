// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The host names that a server certificate was issued for (RFC 9525 section 6). */
record ServerNames(List<String> names) {

  private static final int DNS_NAME = 2;

  static ServerNames of(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        for (List<?> name : all) {
          if (Integer.valueOf(DNS_NAME).equals(name.get(0))) {
            names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
          }
        }
      }
    } catch (CertificateParsingException e) {
      // A certificate whose names cannot be read was issued for no name.
    }
    return new ServerNames(List.copyOf(names));
  }

  /** Whether one of them is {@code host}; a star stands for exactly one whole first label. */
  boolean cover(String host) {
    String wanted = host.toLowerCase(Locale.ROOT);
    int dot = wanted.indexOf('.');
    // Below a star there must be two labels, so that no certificate covers a whole registry.
    boolean maybeWild = dot > 0 && wanted.indexOf('.', dot + 1) > 0;
    return names.contains(wanted) || (maybeWild && names.contains("*" + wanted.substring(dot)));
  }

  @Override
  public String toString() {
    return names.isEmpty() ? "no host name" : String.join(", ", names);
  }
}
