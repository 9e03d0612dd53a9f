// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.X509Svid;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents our SVID.
 *
 * <p>The issuers that a peer lists are ignored: while roots rotate, its list says less than its
 * bundle, and a certificate withheld for that would break the connection.
 */
public final class SvidKeys extends X509ExtendedKeyManager {

  private final KeyChoice choice;

  SvidKeys(KeyChoice choice) {
    this.choice = choice;
  }

  /**
   * Presents what each handshake has pinned.
   *
   * @param handshakes the pins
   * @return a key manager for a long-lived context
   */
  public static SvidKeys of(OpenHandshakes handshakes) {
    return new SvidKeys(handshakes);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(keyTypes, engine);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(new String[] {keyType}, engine);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(keyTypes, socket);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(new String[] {keyType}, socket);
  }

  private @Nullable String choose(String[] keyTypes, @Nullable Object connection) {
    String alias = choice.alias(connection);
    X509Svid svid = alias == null ? null : choice.svid(alias);
    if (svid == null) {
      return null;
    }
    String ours = svid.leaf().getPublicKey().getAlgorithm();
    for (String keyType : keyTypes) {
      if (ours.equals(keyType)) {
        return alias;
      }
    }
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    X509Svid svid = choice.svid(alias);
    return svid == null ? null : svid.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    X509Svid svid = choice.svid(alias);
    return svid == null ? null : svid.privateKey();
  }

  /** Aliases name handshakes, not entries of a store: there is nothing to list. */
  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  /** Aliases name handshakes, not entries of a store: there is nothing to list. */
  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }
}
