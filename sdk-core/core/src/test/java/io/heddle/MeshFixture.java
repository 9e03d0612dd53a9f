// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/**
 * A small mesh on loopback addresses of its own: {@code web} and {@code batch} in namespace shop
 * are clients, {@code api} in namespace pay serves {@code api.pay} (80 to 8080), and {@code
 * empty.pay} has no endpoints. Policies are whatever a test writes.
 */
final class MeshFixture implements AutoCloseable {

  static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");

  private final String net = freeNet();
  private final Path file;
  private final DevelopmentCa ca = DevelopmentCa.inMemory(TRUST_DOMAIN);
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();
  private String policies = "policies: []\n";
  private String selectors = "[]";

  MeshFixture(Path directory) throws IOException {
    file = directory.resolve("mesh.yaml");
    write();
  }

  /** Replaces the policies, before a mesh starts or while it runs. */
  void policies(String yaml) throws IOException {
    policies = "policies:\n" + yaml;
    write();
  }

  /** The policies that the record of {@code api} names. */
  void apiNames(String yamlList) throws IOException {
    selectors = yamlList;
    write();
  }

  Mesh start(String workload) {
    return start(workload, builder -> builder);
  }

  Mesh start(String workload, UnaryOperator<MeshBuilder> more) {
    String[] parts = workload.split("/", -1);
    SvidSource source =
        DevelopmentSource.builder(ca, SpiffeId.workload(TRUST_DOMAIN, parts[0], parts[2])).build();
    closers.push(source);
    Mesh mesh =
        more.apply(Mesh.builder().localFile(file).workload(workload).identity(source).eventLoops(2))
            .start();
    closers.push(mesh);
    return mesh;
  }

  Mesh web() {
    return start("shop/web/web", MeshFixture::shortDrain);
  }

  Mesh batch() {
    return start("shop/batch/batch", MeshFixture::shortDrain);
  }

  Mesh api() {
    return start("pay/api/api", MeshFixture::shortDrain);
  }

  /** Tests leave connections open, and have no time to wait for them. */
  private static MeshBuilder shortDrain(MeshBuilder builder) {
    return builder.drainPeriod(java.time.Duration.ofMillis(100));
  }

  InetAddress address(int host) {
    try {
      return InetAddress.getByName(net + host);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  Path file() {
    return file;
  }

  DevelopmentCa ca() {
    return ca;
  }

  @Override
  public void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
  }

  private void write() throws IOException {
    String yaml =
        """
        workloads:
        - uid: c1//v1/Pod/shop/web
          name: web
          namespace: shop
          serviceAccount: web
          workloadName: web
          canonicalName: web
          canonicalRevision: v1
          clusterId: c1
          locality: {region: eu, zone: eu-a, subzone: ""}
          workloadIps: ["%1$s1"]
          protocol: HBONE
          services: {}
        - uid: c1//v1/Pod/shop/batch
          name: batch
          namespace: shop
          serviceAccount: batch
          workloadIps: ["%1$s2"]
          protocol: HBONE
          services: {}
        - uid: c1//v1/Pod/pay/api
          name: api
          namespace: pay
          serviceAccount: api
          workloadName: api
          canonicalName: api
          canonicalRevision: v1
          clusterId: c1
          locality: {region: eu, zone: eu-a, subzone: ""}
          workloadIps: ["%1$s3"]
          protocol: HBONE
          authorizationPolicies: %2$s
          services: {"pay/api.pay.svc.cluster.local": {80: 8080, 81: 8081}}
        services:
        - name: api
          namespace: pay
          hostname: api.pay.svc.cluster.local
          vips: ["/%1$s100"]
          ports: {80: 8080, 81: 8081}
        - name: empty
          namespace: pay
          hostname: empty.pay.svc.cluster.local
          vips: ["/%1$s101"]
          ports: {80: 8080}
        %3$s"""
            .formatted(net, selectors, policies);
    Path next = file.resolveSibling("mesh.yaml.next");
    Files.writeString(next, yaml);
    Files.move(
        next,
        file,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** Port 15008 is fixed, so that every fixture needs addresses that nobody else listens on. */
  static String freeNet() {
    for (int attempt = 0; attempt < 100; attempt++) {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String net = "127." + random.nextInt(64, 255) + "." + random.nextInt(1, 255) + ".";
      if (isFree(net + 1) && isFree(net + 2) && isFree(net + 3)) {
        return net;
      }
    }
    throw new IllegalStateException("no loopback addresses with a free port 15008");
  }

  private static boolean isFree(String address) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(address, 15008));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
