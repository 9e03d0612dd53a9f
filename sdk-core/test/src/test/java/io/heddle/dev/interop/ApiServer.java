// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.PemTexts;
import io.heddle.testing.Programs;
import io.heddle.testing.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Kubernetes' API server and its storage, both on loopback; nothing runs behind them. */
final class ApiServer implements AutoCloseable {

  private static final String ADMIN_TOKEN = "admin-of-this-test";

  private final Path directory;
  private final String address;
  private final Daemon etcd;
  private final Daemon server;
  final KubernetesApi api;

  ApiServer(Path directory) throws IOException, GeneralSecurityException {
    this.directory = directory;
    List<Integer> ports = FreePorts.find(3);
    TestAuthority authority = TestAuthority.root("API server", Clock.systemUTC());
    writeFiles(authority);
    address = "https://127.0.0.1:" + ports.get(2);
    api = new KubernetesApi(URI.create(address), trusting(authority), ADMIN_TOKEN);
    String storage = "http://127.0.0.1:" + ports.get(0);
    etcd = startStorage(storage, "http://127.0.0.1:" + ports.get(1));
    try {
      server = startServer(storage, ports.get(2));
    } catch (IOException | RuntimeException | Error e) {
      etcd.close();
      throw e;
    }
  }

  private void writeFiles(TestAuthority authority) throws IOException {
    IssuedCertificate serving = authority.leaf().ip("127.0.0.1").issue();
    write("authority.pem", PemTexts.certificate(authority.certificate()));
    write("serving.pem", PemTexts.certificate(serving.certificate()));
    write("serving.key", PemTexts.pkcs8(serving.privateKey()));
    IssuedCertificate tokens = authority.leaf().ip("127.0.0.1").issue();
    write("tokens.key", PemTexts.pkcs8(tokens.privateKey()));
    write("tokens.pem", PemTexts.certificate(tokens.certificate()));
    write("admins.csv", ADMIN_TOKEN + ",admin,admin,system:masters\n");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private static SSLContext trusting(TestAuthority authority)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private Daemon startStorage(String clients, String peers) throws IOException {
    return Daemon.start(
        directory,
        List.of(
            Programs.get("etcd").toString(),
            "--data-dir=" + directory.resolve("etcd"),
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=default=" + peers),
        Map.of(),
        () -> Daemon.answers(URI.create(clients + "/health")));
  }

  private Daemon startServer(String storage, int port) throws IOException {
    return Daemon.start(
        directory,
        List.of(
            Programs.get("kube-apiserver").toString(),
            "--etcd-servers=" + storage,
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--secure-port=" + port,
            "--tls-cert-file=serving.pem",
            "--tls-private-key-file=serving.key",
            "--token-auth-file=admins.csv",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=tokens.pem",
            "--service-account-signing-key-file=tokens.key",
            "--service-cluster-ip-range=127.32.0.0/16",
            // Nobody writes the endpoint of the API itself: a loopback address is refused there.
            "--endpoint-reconciler-type=none",
            // Nobody makes the default account of a namespace either.
            "--disable-admission-plugins=ServiceAccount"),
        Map.of(),
        api::isReady);
  }

  /** How another program reaches this API as its administrator. */
  Path kubeconfig() throws IOException {
    return Files.writeString(
        directory.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: admin}}]
        clusters: [{name: test, cluster: {server: "%s", certificate-authority: "%s"}}]
        users: [{name: admin, user: {token: "%s"}}]
        """
            .formatted(address, directory.resolve("authority.pem"), ADMIN_TOKEN));
  }

  @Override
  public void close() {
    server.close();
    etcd.close();
  }
}
