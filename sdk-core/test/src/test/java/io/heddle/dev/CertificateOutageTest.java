// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static io.heddle.dev.ShopOnPlane.assertAlive;
import static io.heddle.dev.ShopOnPlane.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Mesh;
import io.heddle.MeshConnection;
import io.heddle.MeshException;
import io.heddle.MeshHealth;
import io.heddle.identity.SourceHealth;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application sees of a certificate authority that is away. */
class CertificateOutageTest {

  private final ShopOnPlane shop =
      new ShopOnPlane(builder -> builder.certificateLifetime(Duration.ofSeconds(6)));

  @AfterEach
  void close() throws Exception {
    shop.close();
  }

  @ParameterizedTest(
      name = "{0} past renewal and past expiry: at first nothing, then a typed refusal")
  @EnumSource(names = {"REFUSE_CERTIFICATES", "WRONG_IDENTITY", "EMPTY_CHAIN"})
  void pastRenewalAndExpiry(Fault fault) throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection before = shop.connect(web);
    shop.plane.inject(fault);

    await("a renewal fails", () -> web.identity().health().state() == SourceHealth.State.DEGRADED);
    assertThat(web.health().state()).isEqualTo(MeshHealth.State.DEGRADED);
    assertAlive(before);
    assertAlive(shop.connect(web));

    await("the end", () -> web.identity().health().state() == SourceHealth.State.EXPIRED);
    assertThat(web.health().state()).isEqualTo(MeshHealth.State.UNREADY);
    assertThatThrownBy(() -> shop.connect(web))
        .isInstanceOf(MeshException.IdentityUnavailable.class);
    assertAlive(before);

    shop.plane.heal();
    await("a new certificate", () -> web.health().state() == MeshHealth.State.READY);
  }

  @Test
  @DisplayName("certificates are renewed while a connection carries traffic")
  void renewal() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection connection = shop.connect(web);
    var first = web.identity().current().svid().leaf();
    await("a renewal", () -> !web.identity().current().svid().leaf().equals(first));
    assertAlive(connection);
    assertAlive(shop.connect(web));
  }
}
