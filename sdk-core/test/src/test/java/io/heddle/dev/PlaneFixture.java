// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.internal.proto.xds.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/** A control plane of namespace app, and streams of its pod web. */
final class PlaneFixture implements AutoCloseable {

  static final String POD1 = "Kubernetes//Pod/app/pod1";
  static final String POD2 = "Kubernetes//Pod/app/pod2";
  static final String POD3 = "Kubernetes//Pod/app/pod3";
  static final String SVC = "app/svc.app.svc.cluster.local";
  static final Node WEB = node("node-of-web");

  final LocalControlPlane plane;
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  PlaneFixture(MeshState state) {
    this(state, builder -> builder);
  }

  PlaneFixture(MeshState state, UnaryOperator<LocalControlPlaneBuilder> more) {
    plane = more.apply(LocalControlPlane.builder().state(state)).start();
    closers.push(plane);
  }

  /** A pod on each of two nodes, the second on that of web, and a service of the first. */
  static MeshStateBuilder twoPods() {
    return MeshState.builder()
        .workload("app/pod1", "127.0.0.1")
        .node("app/pod1", "elsewhere")
        .workload("app/pod2", "127.0.0.2")
        .node("app/pod2", "node-of-web")
        .service("app/svc", "10.0.0.1", 80, 8080, "app/pod1");
  }

  static Node node(String nodeName) {
    return AdsStream.node(
        "ztunnel~127.0.0.9~web.app~app.svc.cluster.local", "app", "NODE_NAME", nodeName);
  }

  PlaneClient client() throws SSLException {
    PlaneClient client = new PlaneClient(plane);
    closers.push(client);
    return client;
  }

  AdsStream stream() throws SSLException {
    return new AdsStream(client(), PlaneClient.credentials(plane.token("app/web"), "Kubernetes"));
  }

  @Override
  public void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
  }
}
