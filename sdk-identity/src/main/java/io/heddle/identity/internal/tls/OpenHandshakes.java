// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.X509Svid;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes that are going on, each with the snapshot it was started with.
 *
 * <p>A long-lived TLS context learns from here what belongs to the engine that asks. An engine that
 * is not listed gets no key, and its peer is refused. A snapshot is held exactly as long as a
 * handshake uses it, so a rotated key leaves the memory with the last of them. Safe for any thread.
 */
public final class OpenHandshakes implements KeyChoice, TrustChoice {

  // Engines do not redefine equality, so both maps go by identity.
  private final Map<Object, HandshakePin> byEngine = new ConcurrentHashMap<>();
  private final Map<String, HandshakePin> byAlias = new ConcurrentHashMap<>();
  private final AtomicLong started = new AtomicLong();

  /** No handshake yet. */
  public OpenHandshakes() {}

  /**
   * Pins an identity to an engine. Every pin must be ended by {@link #close}.
   *
   * @param engine the engine, before it has produced or seen a byte
   * @param snapshot the identity that its handshake uses
   * @param authorizer whom it accepts
   * @return the pin
   */
  public HandshakePin open(SSLEngine engine, IdentitySnapshot snapshot, PeerAuthorizer authorizer) {
    String alias = "handshake-" + started.incrementAndGet() + "-svid-" + snapshot.version();
    HandshakePin pin = new HandshakePin(engine, alias, snapshot, authorizer);
    byAlias.put(alias, pin);
    byEngine.put(engine, pin);
    return pin;
  }

  /**
   * Forgets a handshake and its snapshot. Ending one twice has no effect.
   *
   * @param pin the pin of a handshake that has ended, well or not
   */
  public void close(HandshakePin pin) {
    byEngine.remove(pin.engine());
    byAlias.remove(pin.alias());
  }

  /**
   * How many handshakes are going on.
   *
   * @return the number of pins
   */
  public int size() {
    return byEngine.size();
  }

  @Override
  public @Nullable String alias(@Nullable Object connection) {
    HandshakePin pin = connection == null ? null : byEngine.get(connection);
    return pin == null ? null : pin.alias();
  }

  @Override
  public @Nullable X509Svid svid(String alias) {
    HandshakePin pin = byAlias.get(alias);
    return pin == null ? null : pin.snapshot().svid();
  }

  @Override
  public PeerTerms terms(@Nullable Object connection) throws PeerRejectedException {
    HandshakePin pin = connection == null ? null : byEngine.get(connection);
    if (pin == null) {
      throw new PeerRejectedException(
          PeerRejection.NOT_AUTHORIZED,
          null,
          "no handshake of ours is going on at this end (it has ended, or never began)",
          null);
    }
    return pin.terms();
  }
}
