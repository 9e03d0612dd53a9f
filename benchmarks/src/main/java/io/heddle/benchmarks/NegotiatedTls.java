// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.report.Measurement;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLSession;

/** What two connections agreed on with their peers, which must be the same. */
final class NegotiatedTls {

  private NegotiatedTls() {}

  /**
   * Records the protocol and the cipher.
   *
   * @param plain a channel of the plain contender
   * @param tunnel a tunnel: TLS is on its parent
   * @throws IllegalStateException if they differ, and no comparison would be fair
   */
  static void compare(Channel plain, Channel tunnel, Measurement found) {
    String ofPlain = describe(plain);
    String ofTunnel = describe(tunnel.parent());
    if (!ofPlain.equals(ofTunnel)) {
      throw new IllegalStateException("plain: " + ofPlain + ", tunnel: " + ofTunnel);
    }
    found.fact("tls.negotiated", ofPlain);
  }

  private static String describe(Channel channel) {
    SSLSession session = channel.pipeline().get(SslHandler.class).engine().getSession();
    return session.getProtocol() + " " + session.getCipherSuite();
  }
}
