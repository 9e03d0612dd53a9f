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
import io.heddle.identity.TrustBundles;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Meshes that know of each other by a control plane only. */
class MeshOnControlPlaneTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ShopOnPlane shop = new ShopOnPlane();

  @AfterEach
  void close() throws Exception {
    shop.close();
  }

  @Test
  @DisplayName("two pods talk, each knows the other by its certificate")
  void twoPodsTalk() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");

    try (MeshConnection connection = shop.connect(web)) {
      assertAlive(connection);
      assertThat(connection.peer().orElseThrow().spiffeId().toString())
          .isEqualTo("spiffe://cluster.local/ns/shop/sa/inventory");
    }
    assertThat(web.health().state()).isEqualTo(MeshHealth.State.READY);
    assertThat(shop.plane.clients()).hasSize(2);
    assertThat(shop.plane.rejections()).isEmpty();
  }

  @Test
  @DisplayName("a caller that no policy admits is denied")
  void intruderIsDenied() {
    shop.startInventory();
    Mesh intruder = shop.start("shop/intruder");
    assertThatThrownBy(() -> shop.connect(intruder)).isInstanceOf(MeshException.PolicyDenied.class);
  }

  @Test
  @DisplayName("a policy that is pushed holds for the next connection, and ends those it denies")
  void pushedPolicy() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection before = shop.connect(web);

    shop.plane.publish(shop.state().deny("shop/closed", "shop/inventory", "shop/web").build());
    shop.plane.awaitSync(PATIENCE);

    assertThatThrownBy(() -> shop.connect(web)).isInstanceOf(MeshException.PolicyDenied.class);
    await("the connection of before ends", () -> hasEnded(before));
  }

  private static boolean hasEnded(MeshConnection connection) {
    try {
      connection.output().write('x');
      connection.output().flush();
      return connection.input().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  @DisplayName("an endpoint that is gone is not dialled any more")
  void removedEndpoint() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    shop.connect(web);

    shop.plane.publish(shop.state().removeWorkload("shop/inventory").build());
    shop.plane.awaitSync(PATIENCE);

    assertThatThrownBy(() -> shop.connect(web)).isInstanceOf(MeshException.NoRoute.class);
  }

  @Test
  @DisplayName("a mesh that starts after a rotation of the root trusts the old root and the new")
  void rotatedRoot() {
    var old = shop.start("shop/inventory").identity().current().bundles();
    shop.plane.rotateRoot();

    Mesh web = shop.start("shop/web");

    assertThat(anchors(web.identity().current().bundles())).hasSize(2).containsAll(anchors(old));
  }

  private static Set<X509Certificate> anchors(TrustBundles bundles) {
    return bundles.all().iterator().next().anchors();
  }

  @Test
  @DisplayName("GOAWAY is routine: the stream moves, nobody is worse for it")
  void goAway() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    shop.plane.goAway();
    shop.plane.endStreams();

    shop.plane.publish(shop.state().removeWorkload("shop/inventory").build());

    await("the change arrives on a new stream", () -> hasNoRoute(web));
  }

  private boolean hasNoRoute(Mesh web) {
    try (MeshConnection connection = shop.connect(web)) {
      return false;
    } catch (MeshException.NoRoute expected) {
      return true;
    } catch (Exception other) {
      return false;
    }
  }

  @Test
  @DisplayName("an expired token fails the start, and the failure says that it expired")
  void expiredToken() {
    Map<String, String> environment = new HashMap<>(shop.plane.environment("shop/web"));
    environment.put("AUTH_TOKEN", shop.plane.token("shop/web", "istio-ca", Duration.ZERO));
    assertThatThrownBy(
            () ->
                Mesh.builder()
                    .fromEnvironment(environment)
                    .eventLoops(1)
                    .startPatience(Duration.ofSeconds(2))
                    .start())
        .isInstanceOf(MeshException.class)
        .hasMessageContaining("expired");
  }
}
