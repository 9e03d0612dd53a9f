// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.SpiffeId;
import io.heddle.testing.ManualTime;
import io.heddle.testing.PemTexts;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import io.heddle.testing.TestTokens;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;

/** A certificate authority on loopback and a source that asks it, in time that a test drives. */
final class IstioCaFixture implements AutoCloseable {

  static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");

  final ManualTime time = new ManualTime(Clock.systemUTC().instant());
  final TestAuthority mesh = TestAuthority.root("mesh", time.clock());

  /** TLS is judged by the real clock. */
  final TestAuthority web = TestAuthority.root("web", Clock.systemUTC());

  final TestIstioCa ca = new TestIstioCa(mesh, web);

  String goodToken() {
    return TestTokens.forAudience("istio-ca", time.now().plus(Duration.ofDays(30)));
  }

  ControlPlane.Builder controlPlane() {
    return ControlPlane.builder(ca.address())
        .alternativeHost(TestIstioCa.HOST)
        .roots(ServerRoots.pem(PemTexts.certificate(web.certificate())))
        .token(ServiceAccountToken.literal(goodToken()))
        .clusterId("Kubernetes")
        .clock(time.clock());
  }

  IstioCaSource.Builder source() {
    return source(controlPlane().build(), WEB);
  }

  IstioCaSource.Builder source(ControlPlane authority, SpiffeId id) {
    return IstioCaSource.builder(authority, id)
        .clock(time.clock())
        .scheduler(time.scheduler())
        .listenerExecutor(Runnable::run)
        .random(new Random(7));
  }

  /** Lets what is due now happen. */
  void settle() {
    time.elapse(Duration.ofMillis(1));
  }

  @Override
  public void close() {
    ca.close();
  }
}
