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
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application sees of a control plane in trouble. */
class ControlPlaneOutageTest {

  private final ShopOnPlane shop = new ShopOnPlane();

  @AfterEach
  void close() throws Exception {
    shop.close();
  }

  private static void awaitState(Mesh mesh, MeshHealth.State state) {
    await("state " + state, () -> mesh.health().state() == state);
  }

  @Test
  @DisplayName("stopped: connections go on and new ones are made, the mesh says DEGRADED")
  void stopped() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection before = shop.connect(web);

    shop.plane.stop();

    awaitState(web, MeshHealth.State.DEGRADED);
    assertThat(web.health().reasons()).anyMatch(reason -> reason.contains("control plane"));
    assertAlive(before);
    assertAlive(shop.connect(web));
    shop.plane.restart();
    awaitState(web, MeshHealth.State.READY);
  }

  @Test
  @DisplayName("restarted with another state: what is gone is not dialled any more")
  void restartedWithAnotherState() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    shop.connect(web);

    shop.plane.stop();
    shop.plane.restart(shop.state().removeWorkload("shop/inventory").build());

    await("the endpoint is gone", () -> refusal(web) instanceof MeshException.NoRoute);
  }

  @Test
  @DisplayName("slow: the mesh starts later, and works")
  void slow() throws Exception {
    shop.plane.delayAnswers(Duration.ofMillis(200));
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    assertAlive(shop.connect(web));
  }

  @Test
  @DisplayName("hanging at the start: the start fails in its time, and says on whom it waited")
  void hangingAtStart() {
    shop.plane.inject(Fault.HANG);
    assertThatThrownBy(
            () -> shop.start("shop/web", builder -> builder.startPatience(Duration.ofSeconds(1))))
        .isInstanceOf(MeshException.class);
  }

  @Test
  @DisplayName("not ready at the start: the mesh waits until it is")
  void notReadyAtStart() throws Exception {
    shop.startInventory();
    shop.plane.inject(Fault.NOT_READY);
    var starting = java.util.concurrent.CompletableFuture.supplyAsync(() -> shop.start("shop/web"));
    shop.plane.heal();
    assertAlive(shop.connect(starting.get(60, java.util.concurrent.TimeUnit.SECONDS)));
  }

  @Test
  @DisplayName("flapping: connections go on, and changes arrive all the same")
  void flapping() throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection before = shop.connect(web);

    shop.plane.inject(Fault.FLAP);
    shop.plane.endStreams();
    shop.plane.publish(shop.state().removeWorkload("shop/inventory").build());

    await("the endpoint is gone", () -> refusal(web) instanceof MeshException.NoRoute);
    assertAlive(before);
  }

  @ParameterizedTest(name = "garbage, {0}: the last good state stays, and the next good one holds")
  @EnumSource(names = {"UNREADABLE_RESOURCES", "UNKNOWN_TYPES", "BROKEN_MESSAGES"})
  void garbage(Fault garbage) throws Exception {
    shop.startInventory();
    Mesh web = shop.start("shop/web");
    MeshConnection before = shop.connect(web);

    shop.plane.inject(garbage);
    shop.plane.publish(
        shop.state().node("shop/inventory", "elsewhere").node("shop/web", "here").build());

    assertAlive(before);
    assertAlive(shop.connect(web));
    shop.plane.heal();
    shop.plane.publish(shop.state().removeWorkload("shop/inventory").build());
    await("the good state holds", () -> refusal(web) instanceof MeshException.NoRoute);
  }

  @Test
  @DisplayName("unreadable resources are rejected by name")
  void rejection() throws Exception {
    shop.startInventory();
    shop.plane.inject(Fault.UNREADABLE_RESOURCES);
    shop.plane.publish(shop.state().node("shop/intruder", "elsewhere").build());
    await("a rejection", () -> !shop.plane.rejections().isEmpty());
    assertThat(shop.plane.rejections().get(0).message()).contains("Kubernetes//Pod/shop/intruder");
  }

  private RuntimeException refusal(Mesh web) {
    try (MeshConnection connection = shop.connect(web)) {
      return new IllegalStateException("connected by " + connection);
    } catch (MeshException refused) {
      return refused;
    } catch (java.io.IOException e) {
      return new IllegalStateException(e);
    }
  }
}
