// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.dev.internal.server.ControlPlane;
import io.heddle.dev.internal.token.Caller;
import io.heddle.dev.internal.token.TokenIssuer;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A control plane inside this process: workload discovery and certificates over TLS on a loopback
 * port, spoken as istiod speaks them, for tests and for a first look without a cluster.
 *
 * <p>It certifies whoever holds one of its tokens, and {@link #token} gives one to anybody in this
 * process: never use it for anything but tests and development.
 *
 * <pre>{@code
 * try (LocalControlPlane plane = LocalControlPlane.builder().state(state).start()) {
 *   Map<String, String> environment = plane.environment("shop/web");
 *   ...
 * }
 * }</pre>
 *
 * <p>Thread-safe, except for {@link #stop}, {@link #restart}, {@link #goAway} and {@link #close},
 * which one thread calls.
 */
public final class LocalControlPlane implements AutoCloseable {

  private static final Duration TOKEN_LIFETIME = Duration.ofHours(12);

  private final ControlPlane plane;
  private final String clusterId;
  private volatile MeshState state;

  LocalControlPlane(ControlPlane plane, String clusterId, MeshState state) {
    this.plane = plane;
    this.clusterId = clusterId;
    this.state = state;
  }

  /**
   * Configures a control plane.
   *
   * @return a builder; its {@code start} makes the control plane
   */
  public static LocalControlPlaneBuilder builder() {
    return new LocalControlPlaneBuilder();
  }

  /**
   * Where clients find it.
   *
   * @return {@code https://localhost:} and the port, as {@code XDS_ADDRESS} and {@code CA_ADDRESS}
   *     take it
   */
  public String address() {
    return "https://localhost:" + plane.port();
  }

  /**
   * Whom clients trust, for the control plane's own certificate as for their peers'.
   *
   * @return one or more certificates in PEM
   */
  public String rootCertificates() {
    return plane.rootsPem();
  }

  /**
   * A token of a service account, as a pod has it mounted.
   *
   * @param serviceAccount {@code namespace/name}
   * @return a token for the audience {@code istio-ca} that is valid for 12 hours
   */
  public String token(String serviceAccount) {
    return token(serviceAccount, TokenIssuer.ISTIO_CA, TOKEN_LIFETIME);
  }

  /**
   * A token as a misconfigured pod may have it mounted.
   *
   * @param serviceAccount {@code namespace/name}
   * @param audience for whom; only {@code istio-ca} is accepted
   * @param lifetime how long; one of zero has expired
   * @return the token
   */
  public String token(String serviceAccount, String audience, Duration lifetime) {
    NamespacedName account = NamespacedName.parse(serviceAccount);
    return plane.token(new Caller(account.namespace(), account.name(), "", ""), audience, lifetime);
  }

  /**
   * A token that is bound to a pod, as a node agent needs it.
   *
   * @param workload {@code namespace/name} of a workload of the state
   * @return a token of the workload's service account that is valid for 12 hours
   * @throws IllegalArgumentException if the state has no such workload
   */
  public String podToken(String workload) {
    Workload pod = find(workload);
    return plane.token(
        new Caller(pod.namespace(), pod.serviceAccount(), pod.name(), pod.uid()),
        TokenIssuer.ISTIO_CA,
        TOKEN_LIFETIME);
  }

  /**
   * The environment by which a workload finds this control plane and itself, as its pod's
   * specification would set it.
   *
   * @param workload {@code namespace/name} of a workload of the state
   * @return variables by name, token and roots included
   * @throws IllegalArgumentException if the state has no such workload
   */
  public Map<String, String> environment(String workload) {
    Workload pod = find(workload);
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("XDS_ADDRESS", address());
    environment.put("CA_ADDRESS", address());
    environment.put("XDS_ROOT_CA", rootCertificates());
    environment.put("CA_ROOT_CA", rootCertificates());
    environment.put("AUTH_TOKEN", podToken(workload));
    environment.put("CLUSTER_ID", clusterId);
    environment.put("NETWORK", pod.network());
    environment.put("TRUST_DOMAIN", pod.trustDomain());
    environment.put("POD_NAME", pod.name());
    environment.put("POD_NAMESPACE", pod.namespace());
    environment.put("SERVICE_ACCOUNT", pod.serviceAccount());
    environment.put("NODE_NAME", pod.node());
    if (!pod.addresses().isEmpty()) {
      InetAddress first = pod.addresses().get(0);
      environment.put("INSTANCE_IP", first.getHostAddress());
    }
    return environment;
  }

  /**
   * What it announces now.
   *
   * @return the state that was published last
   */
  public MeshState state() {
    return state;
  }

  /**
   * Announces another state. What is different is pushed to all clients, after the debounce.
   *
   * @param next the state
   */
  public void publish(MeshState next) {
    state = next;
    plane.publish(next.config());
  }

  /** Sends all policies again, as istiod does after a change of mesh-wide settings. */
  public void pushAgain() {
    plane.pushForced();
  }

  /**
   * Waits until every client has answered all that it was sent.
   *
   * @param patience how long to wait at most
   * @throws IllegalStateException if a client has not answered by then, or the wait is interrupted
   */
  public void awaitSync(Duration patience) {
    try {
      plane.inSync().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "after " + patience + " not all clients have answered: " + clients(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for clients", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("the control plane failed", e);
    }
  }

  /**
   * Who has an open discovery stream.
   *
   * @return the clients' node ids
   */
  public List<String> clients() {
    return plane.clients();
  }

  /**
   * What clients have rejected so far. A rejected resource is not sent again until it changes.
   *
   * @return the rejections, oldest first
   */
  public List<Rejection> rejections() {
    return plane.rejections().stream()
        .map(rejected -> new Rejection(rejected.clientId(), rejected.typeUrl(), rejected.message()))
        .toList();
  }

  /**
   * Begins to fail in one more way, until {@link #heal()}.
   *
   * @param fault the way
   */
  public void inject(Fault fault) {
    plane.conduct().begin(fault.deviation());
  }

  /**
   * Ends one way of failing.
   *
   * @param fault the way
   */
  public void heal(Fault fault) {
    plane.conduct().end(fault.deviation());
  }

  /** Ends all ways of failing, and answers without delay. */
  public void heal() {
    plane.conduct().behave();
  }

  /**
   * Lets each answer of discovery wait, as a slow control plane does.
   *
   * @param delay how long
   */
  public void delayAnswers(Duration delay) {
    plane.conduct().delay(delay);
  }

  /** Breaks all discovery streams once. Clients may connect again at once. */
  public void endStreams() {
    plane.endStreams();
  }

  /** Tells all clients by GOAWAY to connect again, as istiod does every half hour. */
  public void goAway() {
    plane.goAway();
  }

  /** Makes a new root, below which certificates are signed from now on; the old stays trusted. */
  public void rotateRoot() {
    plane.rotateRoot();
  }

  /** Ends all connections and listens no more. Idempotent. */
  public void stop() {
    plane.stop();
  }

  /** Listens again after {@link #stop}, at the same address. */
  public void restart() {
    plane.start();
  }

  /**
   * Listens again after {@link #stop}, at the same address, and announces another state.
   *
   * @param next the state
   */
  public void restart(MeshState next) {
    publish(next);
    plane.start();
  }

  @Override
  public void close() {
    plane.close();
  }

  private Workload find(String workload) {
    NamespacedName name = NamespacedName.parse(workload);
    return state.config().workloads().stream()
        .filter(pod -> pod.namespace().equals(name.namespace()) && pod.name().equals(name.name()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the state has no workload " + workload));
  }
}
