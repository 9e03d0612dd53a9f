// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * The alert with which a peer ended TLS.
 *
 * <p>In TLS 1.3 a client's handshake is complete before the server has judged the client's
 * certificate, so the refusal arrives as an alert on the first read of a connection that seemed to
 * stand. Ask {@link #in} before treating such a failure as a broken connection.
 *
 * @param description the name of the alert as RFC 8446 section 6 spells it, such as {@code
 *     bad_certificate}
 */
public record PeerAlert(String description) {

  /** What the JDK writes, and what BoringSSL writes, about an alert that was received. */
  private static final Pattern RECEIVED =
      Pattern.compile("Received fatal alert: ([a-z_]+)|(?:SSLV3|TLSV1)_ALERT_([A-Z_]+)");

  private static final Set<String> ABOUT_CERTIFICATE =
      Set.of(
          "bad_certificate",
          "unsupported_certificate",
          "certificate_revoked",
          "certificate_expired",
          "certificate_unknown",
          "certificate_required",
          "unknown_ca",
          "access_denied",
          // What BoringSSL says of an issuer that it knows by name with another key: a new root
          // under the old name.
          "decrypt_error");

  /**
   * Looks for an alert among the causes of a failure.
   *
   * @param failure what a TLS connection or handshake failed with
   * @return the alert, or empty if it was not the peer that ended TLS
   */
  public static Optional<PeerAlert> in(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof SSLException && message != null) {
        Matcher matcher = RECEIVED.matcher(message);
        if (matcher.find()) {
          String name = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
          return Optional.of(new PeerAlert(name.toLowerCase(Locale.ROOT)));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Says whether the peer refused us for who we are: another attempt with the same certificate will
   * fail too.
   *
   * @return true if the alert is about our certificate
   */
  public boolean rejectsCertificate() {
    return ABOUT_CERTIFICATE.contains(description);
  }
}
