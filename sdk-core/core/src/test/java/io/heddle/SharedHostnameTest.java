// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One host name, which a namespace has for itself and everybody else has from another. */
class SharedHostnameTest {

  @TempDir private Path directory;
  private MeshLab lab;
  private Path world;
  private int ownPort;
  private int publicPort;

  @BeforeEach
  void makeLab() throws Exception {
    lab = new MeshLab(directory);
    ownPort = lab.echo(lab.address(7), 0).port();
    publicPort = lab.echo(lab.address(8), 0).port();
    world =
        lab.file(
            "mesh",
            new World()
                .workload("shop/web/web", lab.at(1))
                .workload("ops/batch/batch", lab.at(2))
                .workload("shop/own/own", lab.at(7), "protocol: TCP", serves("shop", ownPort))
                .workload(
                    "pay/public/public", lab.at(8), "protocol: TCP", serves("pay", publicPort))
                .service("shop/db", vip(107), "hostname: db.example", "visibility: Namespace")
                .service("pay/db", vip(108), "hostname: db.example"));
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  private static String serves(String namespace, int port) {
    return "services: {\"" + namespace + "/db.example\": {80: " + port + "}}";
  }

  private String vip(int host) {
    return "\"/" + lab.at(host) + '"';
  }

  private String reached(String who) throws Exception {
    Mesh mesh = lab.pod(world, who);
    try (MeshConnection connection = Traffic.connect(mesh, "db.example", 80)) {
      Traffic.pingPong(connection);
      return connection.remoteAddress().toString();
    }
  }

  @Test
  @DisplayName("IT-12 a client elsewhere reaches the public service, which nothing shadows")
  void publicOne() throws Exception {
    assertThat(reached("ops/batch/batch")).endsWith(lab.at(8) + ":" + publicPort);
  }

  @Test
  @DisplayName("IT-12 a client of the namespace reaches its own")
  void ownOne() throws Exception {
    assertThat(reached("shop/web/web")).endsWith(lab.at(7) + ":" + ownPort);
  }
}
