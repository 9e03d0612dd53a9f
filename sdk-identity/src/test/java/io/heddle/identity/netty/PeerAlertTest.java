// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerAlertTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "Received fatal alert: certificate_unknown, certificate_unknown, true",
    "(bad_certificate) Received fatal alert: bad_certificate, bad_certificate, true",
    "Received fatal alert: handshake_failure, handshake_failure, false",
    "error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE,"
        + " bad_certificate, true",
    "error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA, unknown_ca, true",
    "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED,"
        + " certificate_required, true",
    "error:1000041b:SSL routines:OPENSSL_internal:TLSV1_ALERT_DECRYPT_ERROR,"
        + " decrypt_error, true",
    "error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT_INTERNAL_ERROR,"
        + " internal_error, false",
  })
  void readsBothEngines(String message, String description, boolean aboutCertificate) {
    PeerAlert alert = PeerAlert.in(new DecoderException(new SSLException(message))).orElseThrow();

    assertThat(alert.description()).isEqualTo(description);
    assertThat(alert.rejectsCertificate()).isEqualTo(aboutCertificate);
  }

  @Test
  @DisplayName("a failure of our own is no alert of the peer")
  void ownFailure() {
    SSLHandshakeException own = new SSLHandshakeException("General OpenSslEngine problem");
    own.initCause(new SSLException("error:1000007d:SSL routines:CERTIFICATE_VERIFY_FAILED"));

    assertThat(PeerAlert.in(own)).isEmpty();
  }

  @Test
  @DisplayName("text that only looks like an alert, in a failure that is not of TLS, is none")
  void otherFailure() {
    assertThat(PeerAlert.in(new IOException("Received fatal alert: bad_certificate"))).isEmpty();
  }
}
