// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.identity.internal.x509.PeerValidator;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges peers for a TLS engine, in both roles by the same rules.
 *
 * <p>It extends the extended trust manager because TLS engines wrap any other kind, and the wrapper
 * compares host names, which a SPIFFE certificate does not hold.
 */
public final class SpiffeTrust extends X509ExtendedTrustManager {

  private final PeerValidator validator;
  private final TrustChoice choice;
  private final UnaryOperator<CertificateException> refusal;

  SpiffeTrust(
      PeerValidator validator, TrustChoice choice, UnaryOperator<CertificateException> refusal) {
    this.validator = validator;
    this.choice = choice;
    this.refusal = refusal;
  }

  /**
   * Judges by what each handshake has pinned.
   *
   * @param validator validates chains
   * @param handshakes the pins
   * @return a trust manager for a long-lived context
   */
  public static SpiffeTrust of(PeerValidator validator, OpenHandshakes handshakes) {
    return new SpiffeTrust(validator, handshakes, UnaryOperator.identity());
  }

  /**
   * The same for an engine that wants refusals in a form of its own, to choose the alert by.
   *
   * @param form wraps a refusal, which must stay its cause
   * @return a trust manager that judges alike
   */
  public SpiffeTrust refusingBy(UnaryOperator<CertificateException> form) {
    return new SpiffeTrust(validator, choice, form);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    judge(chain, PeerRole.CLIENT, engine);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    judge(chain, PeerRole.SERVER, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    judge(chain, PeerRole.CLIENT, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    judge(chain, PeerRole.SERVER, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    judge(chain, PeerRole.CLIENT, null);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    judge(chain, PeerRole.SERVER, null);
  }

  private void judge(X509Certificate[] chain, PeerRole role, @Nullable Object connection)
      throws CertificateException {
    try {
      choice.terms(connection).judge(chain, role, validator);
    } catch (CertificateException e) {
      throw refusal.apply(e);
    }
  }

  /**
   * None: a list of issuers would make strict peers withhold their certificate while roots rotate.
   */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
