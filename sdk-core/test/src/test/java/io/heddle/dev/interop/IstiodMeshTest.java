// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Mesh;
import io.heddle.MeshHealth;
import io.heddle.testing.Requires;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Meshes that a real istiod certifies and tells about each other. */
@Tag("interop")
@Requires("istiod")
@ExtendWith(IstiodExtension.class)
class IstiodMeshTest {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final Istiod istiod;
  private final MeshGroup meshes = new MeshGroup();
  private final String namespace = "shop-" + NAMESPACES.incrementAndGet();
  private final String net = PodAddresses.free(4);

  IstiodMeshTest(Istiod istiod) {
    this.istiod = istiod;
  }

  @BeforeEach
  void pods() {
    istiod.namespace(namespace);
    istiod.pod(namespace, "web", net + 1);
    istiod.pod(namespace, "api", net + 2);
    istiod.service(namespace, "api", "127.32.2." + NAMESPACES.get(), 80, 8080);
  }

  @AfterEach
  void close() throws Exception {
    meshes.close();
  }

  @Test
  @DisplayName("two pods started by their environments talk, and each knows who the other is")
  void talk() {
    Mesh web = start("web");
    Mesh api = startApi();

    assertThat(ask(web)).isEqualTo(id("web"));
    assertThat(web.identity().current().svid().id()).hasToString(id("web"));
    assertThat(web.health().state()).isEqualTo(MeshHealth.State.READY);
    assertThat(api.hboneAddresses().get(0).getAddress().getHostAddress()).isEqualTo(net + 2);
  }

  private Mesh start(String pod) {
    return meshes.start(istiod.environment(namespace, pod));
  }

  private Mesh startApi() {
    Mesh api = start("api");
    meshes.greet(api, 8080);
    return api;
  }

  private String host() {
    return "api." + namespace + ".svc.cluster.local";
  }

  private String ask(Mesh mesh) {
    return MeshGroup.ask(mesh, host(), 80);
  }

  private String id(String account) {
    return "spiffe://cluster.local/ns/" + namespace + "/sa/" + account;
  }
}
