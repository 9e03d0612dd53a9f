// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.heddle.identity.IdentityException;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A control plane: where it is, whose certificate it must have, and how to log in there. Istio's
 * discovery and its certificate authority are reached through one object each, because their
 * settings are apart.
 *
 * <p>Tokens are read again for each call and roots for each handshake. Safe for any thread.
 */
public final class ControlPlane {

  /** A whole mesh can arrive as one message (control-plane reference 1.5). */
  private static final int DEFAULT_INBOUND_BYTES = 200 << 20;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** The server closes connections that ping more often than every 15 seconds. */
  private static final Duration KEEPALIVE = Duration.ofSeconds(30);

  private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(10);

  private final ControlPlaneAddress address;
  private final ServerRoots roots;
  private final @Nullable String alternativeHost;
  private final @Nullable ServiceAccountToken token;
  private final Metadata headers;
  private final int maxInboundBytes;
  private final Clock clock;

  private ControlPlane(Builder builder) {
    this.address = builder.address;
    this.roots = builder.roots;
    this.alternativeHost = builder.alternativeHost;
    this.token = builder.token;
    this.headers = new Metadata();
    headers.merge(builder.headers);
    this.maxInboundBytes = builder.maxInboundBytes;
    this.clock = builder.clock;
  }

  /**
   * A control plane at an address.
   *
   * @param address {@code https://host:port}, or without the scheme
   * @return a builder
   * @throws IllegalArgumentException if it is not an address
   */
  public static Builder builder(String address) {
    return new Builder(ControlPlaneAddress.parse(address));
  }

  /**
   * A new channel, which connects when it is first used. Every call carries the token and the
   * headers.
   *
   * <p>Cheap: it shares gRPC's threads. A broken connection is made again by the channel itself;
   * whoever keeps a pace of their own opens a new channel for each attempt.
   *
   * @return the caller's to shut down
   */
  public ManagedChannel connect() {
    NettyChannelBuilder channel =
        NettyChannelBuilder.forAddress(address.host(), address.port())
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
            .keepAliveTime(KEEPALIVE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .keepAliveWithoutCalls(false)
            .maxInboundMessageSize(maxInboundBytes)
            .disableServiceConfigLookUp()
            // The JVM's default selector may be our own, which leads into the mesh.
            .proxyDetector(server -> null)
            .userAgent("heddle")
            .intercept(login());
    return (address.plaintext() ? channel.usePlaintext() : channel.sslContext(tls())).build();
  }

  private SslContext tls() {
    try {
      return GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
          .trustManager(new ServerTrust(roots, address.host(), alternativeHost))
          .protocols("TLSv1.3", "TLSv1.2")
          // The least there is: a resumed session is not checked against roots read since.
          .sessionTimeout(1)
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("this JVM lacks TLS 1.2 and 1.3", e);
    }
  }

  private ClientInterceptor login() {
    TokenCredentials credentials = token == null ? null : new TokenCredentials(token, clock);
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        CallOptions called =
            credentials == null ? options : options.withCallCredentials(credentials);
        return new SimpleForwardingClientCall<>(next.newCall(method, called)) {
          @Override
          public void start(Listener<A> listener, Metadata sent) {
            sent.merge(headers);
            super.start(listener, sent);
          }
        };
      }
    };
  }

  /**
   * Puts into words how a call ended, as somebody wants to read it who has to mend it: the cause at
   * the bottom, and what is to be said about the token where the token was refused.
   *
   * @param status how it ended
   * @return one line without secrets
   */
  public String explain(Status status) {
    StringBuilder text = new StringBuilder().append(address).append(": ").append(status.getCode());
    Throwable cause = status.getCause();
    if (cause != null) {
      text.append(": ").append(bottom(cause));
    } else if (status.getDescription() != null) {
      text.append(": ").append(status.getDescription().lines().findFirst().orElse(""));
    }
    if (status.getCode() == Status.Code.UNAUTHENTICATED
        && token != null
        && !(cause instanceof IdentityException)) {
      text.append("; ").append(token.describe(clock.instant()));
    }
    return text.toString();
  }

  private static String bottom(Throwable cause) {
    Throwable deepest = cause;
    // Our own trust explains; below it there is only what it explains.
    while (deepest.getCause() != null
        && !(deepest instanceof IdentityException)
        && !(deepest instanceof java.security.cert.CertificateException)) {
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return message == null ? deepest.getClass().getSimpleName() : message;
  }

  /** The roots, for whoever wants to know when they change. */
  ServerRoots roots() {
    return roots;
  }

  /** The token, if there is one. */
  Optional<ServiceAccountToken> token() {
    return Optional.ofNullable(token);
  }

  /** Host and port. */
  @Override
  public String toString() {
    return address.toString();
  }

  /** Collects the settings of a {@link ControlPlane}. Not for use by several threads. */
  public static final class Builder {

    private static final String HEADER_NAME = "[0-9a-z_.-]+";

    private final ControlPlaneAddress address;
    private final Metadata headers = new Metadata();
    private ServerRoots roots = ServerRoots.system();
    private @Nullable String alternativeHost;
    private @Nullable ServiceAccountToken token;
    private int maxInboundBytes = DEFAULT_INBOUND_BYTES;
    private boolean plaintextAllowed;
    private Clock clock = Clock.systemUTC();

    private Builder(ControlPlaneAddress address) {
      this.address = address;
    }

    /**
     * Whose server certificates are trusted.
     *
     * @param newRoots those of the JVM by default
     * @return this builder
     */
    public Builder roots(ServerRoots newRoots) {
      this.roots = newRoots;
      return this;
    }

    /**
     * Another name that the server's certificate may be issued for, where the control plane is
     * dialled by an address or through a proxy.
     *
     * @param host tried after the host of the address
     * @return this builder
     */
    public Builder alternativeHost(String host) {
      this.alternativeHost = host;
      return this;
    }

    /**
     * Who asks.
     *
     * @param newToken none by default
     * @return this builder
     */
    public Builder token(ServiceAccountToken newToken) {
      this.token = newToken;
      return this;
    }

    /**
     * Which cluster's API judges the token.
     *
     * @param id as the control plane knows it
     * @return this builder
     * @throws IllegalArgumentException if it cannot be a header value
     */
    public Builder clusterId(String id) {
      return header("clusterid", id);
    }

    /**
     * One more header of every call.
     *
     * @param name any case; sent in lower case
     * @param value printable ASCII
     * @return this builder
     * @throws IllegalArgumentException if either cannot be in a header
     */
    public Builder header(String name, String value) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!lower.matches(HEADER_NAME) || lower.endsWith("-bin")) {
        throw new IllegalArgumentException(
            "header '" + name + "' (expected: letters, digits, '-', '_' and '.', no suffix -bin)");
      }
      if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
        throw new IllegalArgumentException(
            "the value of header '" + name + "' (expected: printable ASCII)");
      }
      headers.put(Metadata.Key.of(lower, Metadata.ASCII_STRING_MARSHALLER), value);
      return this;
    }

    /**
     * How large a message of the server may be.
     *
     * @param bytes 200 MiB by default
     * @return this builder
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxInboundBytes(int bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("maxInboundBytes: " + bytes + " (expected: > 0)");
      }
      this.maxInboundBytes = bytes;
      return this;
    }

    /**
     * Allows an {@code http://} address of this machine, for tests. Over any other connection the
     * token would be anybody's.
     *
     * @return this builder
     */
    public Builder allowPlaintextOnLoopback() {
      this.plaintextAllowed = true;
      return this;
    }

    /**
     * The wall clock by which tokens expire.
     *
     * @param newClock the system's by default
     * @return this builder
     */
    public Builder clock(Clock newClock) {
      this.clock = newClock;
      return this;
    }

    /**
     * Makes the object; nothing is connected or read yet.
     *
     * @return the control plane
     * @throws IllegalArgumentException if the address is plaintext and that was not allowed, or not
     *     on this machine
     */
    public ControlPlane build() {
      if (address.plaintext() && !(plaintextAllowed && address.isLoopback())) {
        throw new IllegalArgumentException(
            "http://"
                + address
                + " is not encrypted, so the token would be anybody's; use https:// (port 15012 of"
                + " istiod)");
      }
      return new ControlPlane(this);
    }
  }
}
