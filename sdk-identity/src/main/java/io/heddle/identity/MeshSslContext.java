// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.internal.tls.ConnectionContexts;
import io.heddle.identity.internal.tls.RecentSnapshots;
import io.heddle.identity.internal.x509.PeerValidator;
import java.time.Clock;
import javax.net.ssl.SSLContext;

/**
 * An ordinary {@link SSLContext} with our identity, for libraries of the application's choice: an
 * HTTP client, a database driver, a server.
 *
 * <p>It is made once and follows the {@link SvidSource} by itself: connections made after a
 * rotation present the new certificate, those that stand are left alone. Peers are judged by their
 * SPIFFE ID and by the bundles that are current, never by a host name. Each connection gets a
 * session cache of its own, so no session is ever resumed past that judgement.
 *
 * <p>Servers made with it demand a client certificate unless the library above switches that off.
 * While there is no valid own certificate, handshakes fail.
 *
 * <pre>{@code
 * SSLContext context =
 *     MeshSslContext.create(source, PeerAuthorizer.memberOf(TrustDomain.parse("cluster.local")));
 * HttpClient client = HttpClient.newBuilder().sslContext(context).build();
 * }</pre>
 */
public final class MeshSslContext {

  private MeshSslContext() {}

  /**
   * Makes a context that speaks TLS 1.3 only.
   *
   * @param source who we are; must stay open as long as the context is used
   * @param authorizer whom to accept, in both roles
   * @return the context, already initialised
   */
  public static SSLContext create(SvidSource source, PeerAuthorizer authorizer) {
    return create(source, authorizer, "TLSv1.3");
  }

  /**
   * Makes a context that speaks TLS 1.3, and 1.2 with peers outside the mesh that know no better.
   *
   * @param source who we are; must stay open as long as the context is used
   * @param authorizer whom to accept, in both roles
   * @return the context, already initialised
   */
  public static SSLContext createAlsoForTls12(SvidSource source, PeerAuthorizer authorizer) {
    return create(source, authorizer, "TLSv1.3", "TLSv1.2");
  }

  private static SSLContext create(
      SvidSource source, PeerAuthorizer authorizer, String... versions) {
    Clock clock = Clock.systemUTC();
    return ConnectionContexts.sslContext(
        new RecentSnapshots(source, authorizer, clock, System::nanoTime),
        new PeerValidator(clock),
        versions);
  }
}
