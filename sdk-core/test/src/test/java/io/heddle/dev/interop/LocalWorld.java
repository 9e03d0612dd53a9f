// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.dev.LocalControlPlane;
import io.heddle.dev.MeshStateBuilder;
import io.heddle.dev.PlaneClient;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/** What the local control plane makes of a world. */
record LocalWorld(String namespace, LocalControlPlane plane) implements World, AutoCloseable {

  /** istiod's, so that changes close to each other are one push here too. */
  private static final Duration DEBOUNCE = Duration.ofMillis(100);

  static LocalWorld start(String namespace) {
    return new LocalWorld(
        namespace, LocalControlPlane.builder().debounce(DEBOUNCE, Duration.ofSeconds(10)).start());
  }

  private void change(UnaryOperator<MeshStateBuilder> what) {
    plane.publish(what.apply(plane.state().toBuilder()).build());
  }

  private String named(String name) {
    return namespace + "/" + name;
  }

  @Override
  public void pod(String name, String address, String node) {
    change(state -> state.workload(named(name), address).node(named(name), node));
  }

  @Override
  public void deletePod(String name) {
    change(state -> state.removeWorkload(named(name)));
  }

  @Override
  public void service(String name, String vip, int servicePort, int targetPort) {
    change(state -> state.service(named(name), vip, servicePort, targetPort, named(name)));
  }

  @Override
  public void deleteService(String name) {
    change(state -> state.removeService(named(name)));
  }

  @Override
  public void allow(String pod, String caller) {
    change(state -> state.allow(named(pod), named(pod), named(caller)));
  }

  @Override
  public void deletePolicy(String pod) {
    change(state -> state.removePolicy(named(pod)));
  }

  @Override
  public void strict() {
    change(state -> state.strict(namespace));
  }

  @Override
  public PlaneClient client() throws SSLException {
    return new PlaneClient(plane.address(), plane.rootCertificates());
  }

  @Override
  public String token(String pod) {
    return plane.token(named(pod));
  }

  @Override
  public void close() {
    plane.close();
  }
}
