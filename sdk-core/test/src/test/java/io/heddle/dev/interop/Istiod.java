// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import com.fasterxml.jackson.databind.JsonNode;
import io.heddle.testing.Eventually;
import io.heddle.testing.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A real istiod over a real Kubernetes API. What controllers and kubelets would write is written
 * here: accounts, addresses of pods, their readiness.
 */
final class Istiod implements AutoCloseable {

  static final String ROOT_NAMESPACE = "istio-system";

  private static final Duration TOKEN_LIFETIME = Duration.ofHours(12);
  private static final String CORE = "/api/v1/namespaces";

  private final ApiServer apiServer;
  private final Daemon istiod;
  private final int port;
  final KubernetesApi api;

  Istiod(Path directory) throws IOException, GeneralSecurityException {
    apiServer = new ApiServer(directory);
    api = apiServer.api;
    try {
      for (String crd : customResources()) {
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
      }
      namespace(ROOT_NAMESPACE);
      List<Integer> ports = FreePorts.find(3);
      port = ports.get(0);
      istiod = start(directory, ports);
    } catch (IOException | RuntimeException | Error e) {
      apiServer.close();
      throw e;
    }
  }

  /** Istio's own types, as its base chart has them, beside the program. */
  private static List<String> customResources() throws IOException {
    String text =
        Files.readString(Programs.get("pilot-discovery").resolveSibling("istio-crds.yaml"));
    return List.of(text.split("(?m)^---\\s*$")).stream().filter(each -> !each.isBlank()).toList();
  }

  private Daemon start(Path directory, List<Integer> ports) throws IOException {
    URI ready = URI.create("http://127.0.0.1:" + ports.get(1) + "/ready");
    return Daemon.start(
        directory,
        List.of(
            Programs.get("pilot-discovery").toString(),
            "discovery",
            "--kubeconfig=" + apiServer.kubeconfig(),
            "--secureGRPCAddr=127.0.0.1:" + ports.get(0),
            "--grpcAddr=",
            "--httpAddr=127.0.0.1:" + ports.get(1),
            "--httpsAddr=",
            "--monitoringAddr=127.0.0.1:" + ports.get(2),
            "--ctrlz_port=0"),
        Map.ofEntries(
            Map.entry("PILOT_ENABLE_AMBIENT", "true"),
            Map.entry("CA_TRUSTED_NODE_ACCOUNTS", ROOT_NAMESPACE + "/ztunnel"),
            Map.entry("POD_NAME", "istiod"),
            Map.entry("POD_NAMESPACE", ROOT_NAMESPACE),
            Map.entry("CLUSTER_ID", "Kubernetes"),
            Map.entry("ISTIOD_CUSTOM_HOST", "localhost"),
            Map.entry("INJECT_ENABLED", "false"),
            Map.entry("VALIDATION_WEBHOOK_CONFIG_NAME", ""),
            Map.entry("INJECTION_WEBHOOK_CONFIG_NAME", ""),
            Map.entry("ENABLE_LEADER_ELECTION", "false"),
            Map.entry("PILOT_ENABLE_GATEWAY_API", "false")),
        () -> Daemon.answers(ready));
  }

  /** As XDS_ADDRESS and CA_ADDRESS take it. */
  String address() {
    return "https://localhost:" + port;
  }

  void namespace(String name) {
    api.create(
        CORE,
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: %s}
        """
            .formatted(name));
  }

  /** The roots as a pod of the namespace has them mounted, once istiod has put them there. */
  String roots(String namespace) {
    String map = CORE + "/" + namespace + "/configmaps/istio-ca-root-cert";
    Eventually.holds("istiod writes " + map, () -> api.exists(map));
    return api.get(map).at("/data/root-cert.pem").textValue();
  }

  /** A running pod with the SDK in it, whose service account is named as itself. */
  void pod(String namespace, String name, String address) {
    pod(namespace, name, address, "node-1");
  }

  void pod(String namespace, String name, String address, String node) {
    String accounts = CORE + "/" + namespace + "/serviceaccounts";
    if (!api.exists(accounts + "/" + name)) {
      api.create(
          accounts,
          """
          apiVersion: v1
          kind: ServiceAccount
          metadata: {name: %s}
          """
              .formatted(name));
    }
    api.create(
        CORE + "/" + namespace + "/pods",
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s
          labels:
            app: %1$s
            networking.istio.io/tunnel: http
            istio.io/dataplane-mode: none
            sidecar.istio.io/inject: "false"
        spec:
          serviceAccountName: %1$s
          nodeName: %2$s
          containers: [{name: app, image: none, ports: [{containerPort: 8080}]}]
        """
            .formatted(name, node));
    status(namespace, name, address, true);
  }

  /** What the kubelet says of a pod. */
  void status(String namespace, String name, String address, boolean ready) {
    api.patch(
        pod(namespace, name) + "/status",
        """
        {"status": {"phase": "Running", "podIP": "%1$s", "podIPs": [{"ip": "%1$s"}],
          "conditions": [{"type": "Ready", "status": "%2$s"}]}}
        """
            .formatted(address, ready ? "True" : "False"));
  }

  /** A pod is gone at once, as after the kubelet has ended it. */
  void deletePod(String namespace, String name) {
    api.delete(pod(namespace, name) + "?gracePeriodSeconds=0");
  }

  private static String pod(String namespace, String name) {
    return CORE + "/" + namespace + "/pods/" + name;
  }

  /** A service of the pods that are labelled by its name. */
  void service(String namespace, String name, String vip, int servicePort, int targetPort) {
    api.create(
        CORE + "/" + namespace + "/services",
        """
        apiVersion: v1
        kind: Service
        metadata: {name: %1$s}
        spec:
          clusterIP: %2$s
          selector: {app: %1$s}
          ports: [{port: %3$d, targetPort: %4$d}]
        """
            .formatted(name, vip, servicePort, targetPort));
  }

  /** A policy of Istio's security group; the specification is YAML at no indent. */
  void policy(String kind, String namespace, String name, String specification) {
    api.create(
        policies(kind, namespace),
        """
        apiVersion: security.istio.io/v1
        kind: %s
        metadata: {name: %s}
        spec:
        %s"""
            .formatted(kind, name, specification.indent(2)));
  }

  void deletePolicy(String kind, String namespace, String name) {
    api.delete(policies(kind, namespace) + "/" + name);
  }

  private static String policies(String kind, String namespace) {
    String plural = kind.toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
    return "/apis/security.istio.io/v1/namespaces/" + namespace + "/" + plural;
  }

  /** A token as the kubelet projects it into a pod: bound to it, for Istio's audience. */
  String token(String namespace, String pod) {
    String uid = api.get(pod(namespace, pod)).at("/metadata/uid").textValue();
    return token(namespace, pod, "istio-ca", uid);
  }

  String token(String namespace, String pod, String audience, String uid) {
    return api.create(
            CORE + "/" + namespace + "/serviceaccounts/" + pod + "/token",
            """
            apiVersion: authentication.k8s.io/v1
            kind: TokenRequest
            spec:
              audiences: [%s]
              expirationSeconds: %d
              boundObjectRef: {apiVersion: v1, kind: Pod, name: %s, uid: %s}
            """
                .formatted(audience, TOKEN_LIFETIME.toSeconds(), pod, uid))
        .at("/status/token")
        .textValue();
  }

  /** What the specification of a pod with the SDK in it says. */
  Map<String, String> environment(String namespace, String pod) {
    JsonNode found = api.get(pod(namespace, pod));
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("XDS_ADDRESS", address());
    environment.put("CA_ADDRESS", address());
    environment.put("XDS_ROOT_CA", roots(namespace));
    environment.put("CA_ROOT_CA", roots(namespace));
    environment.put("AUTH_TOKEN", token(namespace, pod));
    environment.put("POD_NAME", pod);
    environment.put("POD_NAMESPACE", namespace);
    environment.put("SERVICE_ACCOUNT", pod);
    environment.put("NODE_NAME", found.at("/spec/nodeName").textValue());
    environment.put("INSTANCE_IP", found.at("/status/podIP").textValue());
    return environment;
  }

  @Override
  public void close() {
    istiod.close();
    apiServer.close();
  }
}
