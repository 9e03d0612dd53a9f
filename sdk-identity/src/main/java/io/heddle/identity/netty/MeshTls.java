// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SvidSource;
import io.heddle.identity.internal.tls.OpenHandshakes;
import io.heddle.identity.internal.tls.SpiffeTrust;
import io.heddle.identity.internal.tls.SvidKeys;
import io.heddle.identity.internal.x509.PeerValidator;
import io.netty.channel.ChannelPipeline;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mutual TLS between mesh peers: TLS 1.3 only, ALPN {@code h2}, both ends prove a SPIFFE ID.
 *
 * <p>One instance serves all connections of a process and follows its {@link SvidSource} by itself:
 * each handshake uses the identity that is current when it starts, and rotation disturbs neither
 * handshakes under way nor connections that stand. Sessions are never resumed, so every connection
 * is judged by the bundle and the rule of its own moment.
 *
 * <pre>{@code
 * MeshTls tls = MeshTls.builder(source).build();
 * // in a ChannelInitializer, or once the channel is registered:
 * Future<PeerSvid> peer = tls.addClient(channel.pipeline(), PeerAuthorizer.exactly(reviews));
 * }</pre>
 *
 * <p>Handlers behind it see the channel become active only after the peer has been accepted; until
 * then they can read nothing, and what they write fails. When the peer is refused, or anything else
 * goes wrong, the returned future fails and the channel is closed. The cause chain says why: {@link
 * IdentityException} for our own identity, {@link io.heddle.identity.PeerRejectedException} for a
 * peer that we refused, {@link PeerAlert#in} for a peer that refused us. <strong>A client learns of
 * the latter only later</strong>: in TLS 1.3 its future succeeds before the server has judged it,
 * so count a connection as established when the peer's first bytes have arrived.
 *
 * <p>Safe for any thread. Close it after its last channel.
 */
public final class MeshTls implements AutoCloseable {

  /** Who is at the other end; set before the channel becomes active for the handlers behind. */
  public static final AttributeKey<PeerSvid> PEER = AttributeKey.valueOf(MeshTls.class, "PEER");

  /** The certificate that we showed; set together with {@link #PEER}. */
  public static final AttributeKey<X509Certificate> OWN_CERTIFICATE =
      AttributeKey.valueOf(MeshTls.class, "OWN_CERTIFICATE");

  private static final Logger LOG = LoggerFactory.getLogger(MeshTls.class);

  private final SvidSource source;
  private final Clock clock;
  private final Duration handshakeTimeout;
  private final PeerValidator validator;
  private final OpenHandshakes handshakes = new OpenHandshakes();
  private final TlsEngines engines;
  private final @Nullable ExecutorService ownExecutor;
  private final AtomicBoolean closed = new AtomicBoolean();

  private MeshTls(Builder builder) {
    this.source = builder.source;
    this.clock = builder.clock;
    this.handshakeTimeout = builder.handshakeTimeout;
    this.validator = new PeerValidator(clock);
    ExecutorService own = null;
    Executor executor = builder.executor;
    if (executor == null) {
      own = HandshakeThreads.start();
      executor = own;
    }
    this.ownExecutor = own;
    SvidKeys keys = SvidKeys.of(handshakes);
    SpiffeTrust trust = SpiffeTrust.of(validator, handshakes);
    try {
      this.engines =
          builder.useBoringSsl()
              ? new BoringSslEngines(keys, trust, executor)
              : new JdkEngines(keys, trust, executor);
    } catch (SSLException e) {
      throw new IllegalStateException("TLS cannot be set up on this machine", e);
    }
  }

  /**
   * Starts building.
   *
   * @param source who we are; stays the caller's to close
   * @return a builder with the defaults
   */
  public static Builder builder(SvidSource source) {
    return new Builder(source);
  }

  /**
   * Makes the channel the connecting end of a mesh connection. The handshake starts when the
   * channel is active.
   *
   * @param pipeline the pipeline of a registered channel; TLS is put first
   * @param expected whom to accept at the other end
   * @return the peer, once accepted; notified on the channel's event loop
   */
  public Future<PeerSvid> addClient(ChannelPipeline pipeline, PeerAuthorizer expected) {
    return add(pipeline, engines::client, snapshot -> expected);
  }

  /**
   * Makes the channel the accepting end of a mesh connection. The peer must present a certificate
   * of our own trust domain.
   *
   * @param pipeline the pipeline of a registered channel; TLS is put first
   * @return the peer, once accepted; notified on the channel's event loop
   */
  public Future<PeerSvid> addServer(ChannelPipeline pipeline) {
    return add(
        pipeline,
        engines::server,
        snapshot -> PeerAuthorizer.memberOf(snapshot.svid().id().trustDomain()));
  }

  /**
   * Makes the channel the accepting end of a mesh connection, for peers of any trust domain that a
   * bundle is held for, if the rule accepts them. Other implementations refuse peers of a foreign
   * trust domain altogether.
   *
   * @param pipeline the pipeline of a registered channel; TLS is put first
   * @param expected whom to accept at the other end
   * @return the peer, once accepted; notified on the channel's event loop
   */
  public Future<PeerSvid> addServer(ChannelPipeline pipeline, PeerAuthorizer expected) {
    return add(pipeline, engines::server, snapshot -> expected);
  }

  private Future<PeerSvid> add(
      ChannelPipeline pipeline,
      MeshHandshake.HandlerFactory handler,
      MeshHandshake.AuthorizerChoice authorizer) {
    Promise<PeerSvid> peer = pipeline.channel().eventLoop().newPromise();
    pipeline.addFirst(new MeshHandshake(this, handler, authorizer, peer));
    return peer;
  }

  /**
   * The identity for a handshake that starts now.
   *
   * @throws IdentityException if there is none, or only an expired one
   * @throws IllegalStateException if this is closed
   */
  IdentitySnapshot identity() {
    if (closed.get()) {
      throw new IllegalStateException("mesh TLS is closed");
    }
    IdentitySnapshot snapshot = source.current();
    if (!clock.instant().isBefore(snapshot.svid().notAfter())) {
      throw new IdentityException.Expired(snapshot.svid().id(), snapshot.svid().notAfter());
    }
    return snapshot;
  }

  OpenHandshakes handshakes() {
    return handshakes;
  }

  PeerValidator validator() {
    return validator;
  }

  Duration handshakeTimeout() {
    return handshakeTimeout;
  }

  /**
   * Which TLS engine is at work.
   *
   * @return its name for people, such as {@code BoringSSL (Netty 4.2.18.Final)} or {@code JDK
   *     (SunJSSE)}
   */
  public String description() {
    return engines.description();
  }

  /**
   * Frees the engine and its threads. Connections that stand go on; new handshakes fail. Waits up
   * to 5 s for a validation under way: close this before the event loops, or a handshake that waits
   * for one cannot give back what it holds. Closing twice has no effect.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    engines.close();
    if (ownExecutor != null) {
      HandshakeThreads.end(ownExecutor);
    }
  }

  /** Builds a {@link MeshTls}. */
  public static final class Builder {

    private final SvidSource source;
    private TlsProvider provider = TlsProvider.AUTO;
    private Duration handshakeTimeout = Duration.ofSeconds(10);
    private Clock clock = Clock.systemUTC();
    private @Nullable Executor executor;

    private Builder(SvidSource source) {
      this.source = source;
    }

    /**
     * Chooses the engine.
     *
     * @param provider the engine; {@link TlsProvider#AUTO} unless set
     * @return this builder
     */
    public Builder provider(TlsProvider provider) {
      this.provider = provider;
      return this;
    }

    /**
     * Limits a handshake, from the active channel to the verified peer.
     *
     * @param timeout at least a millisecond; 10 seconds unless set
     * @return this builder
     */
    public Builder handshakeTimeout(Duration timeout) {
      if (timeout.toMillis() < 1) {
        throw new IllegalArgumentException(
            "handshakeTimeout: " + timeout + " (expected: at least 1 ms)");
      }
      this.handshakeTimeout = timeout;
      return this;
    }

    /**
     * Sets the clock by which certificates are valid or not.
     *
     * @param clock the clock; the system's unless set
     * @return this builder
     */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /**
     * Sets where the expensive part of handshakes runs, away from event loops.
     *
     * @param executor the executor, which stays the caller's; a few daemon threads of our own
     *     unless set
     * @return this builder
     */
    public Builder handshakeExecutor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * Builds.
     *
     * @return TLS for mesh peers
     * @throws IllegalStateException if the engine that was asked for does not load here
     */
    public MeshTls build() {
      return new MeshTls(this);
    }

    private boolean useBoringSsl() {
      Optional<String> unavailable =
          provider == TlsProvider.JDK ? Optional.empty() : BoringSslEngines.unavailable();
      if (unavailable.isPresent() && provider == TlsProvider.BORINGSSL) {
        throw new IllegalStateException(
            "BoringSSL does not load on this platform: " + unavailable.get());
      }
      if (unavailable.isPresent()) {
        LOG.info(
            "TLS runs on the JDK's engine, which is several times slower: {}", unavailable.get());
      }
      return provider != TlsProvider.JDK && unavailable.isEmpty();
    }
  }
}
