// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.dev.PlaneClient;
import javax.net.ssl.SSLException;

/** What istiod makes of a world. */
record IstiodWorld(String namespace, Istiod istiod) implements World {

  static IstiodWorld create(String namespace, Istiod istiod) {
    istiod.namespace(namespace);
    return new IstiodWorld(namespace, istiod);
  }

  @Override
  public void pod(String name, String address, String node) {
    istiod.pod(namespace, name, address, node);
  }

  @Override
  public void deletePod(String name) {
    istiod.deletePod(namespace, name);
  }

  @Override
  public void service(String name, String vip, int servicePort, int targetPort) {
    istiod.service(namespace, name, vip, servicePort, targetPort);
  }

  @Override
  public void deleteService(String name) {
    istiod.api.delete("/api/v1/namespaces/" + namespace + "/services/" + name);
  }

  @Override
  public void allow(String pod, String caller) {
    istiod.policy(
        "AuthorizationPolicy",
        namespace,
        pod,
        """
        selector: {matchLabels: {app: %s}}
        action: ALLOW
        rules: [{from: [{source: {serviceAccounts: [%s/%s]}}]}]
        """
            .formatted(pod, namespace, caller));
  }

  @Override
  public void deletePolicy(String pod) {
    istiod.deletePolicy("AuthorizationPolicy", namespace, pod);
  }

  @Override
  public void strict() {
    istiod.policy("PeerAuthentication", namespace, "strict", "mtls: {mode: STRICT}\n");
  }

  @Override
  public PlaneClient client() throws SSLException {
    return new PlaneClient(istiod.address(), istiod.roots(namespace));
  }

  @Override
  public String token(String pod) {
    return istiod.token(namespace, pod);
  }
}
