// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import io.heddle.Mesh;
import io.heddle.MeshConnection;
import io.heddle.MeshException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Has an identity of the mesh, but none that the inventory's policy allows. */
final class IntruderService {

  private IntruderService() {}

  public static void main(String[] args) throws Exception {
    try (Mesh mesh = Service.startMesh(args, "shop/intruder/intruder")) {
      Service.serve(command -> attack(mesh, command.substring("attack ".length())));
    }
  }

  private static void attack(Mesh mesh, String hboneAddress) throws Exception {
    Service.event("denied", attempt(mesh, "inventory.shop"));
    Service.event("unproven", withoutCertificate(mesh, hboneAddress));
    Service.event("no-endpoint", attempt(mesh, "closed.shop"));
  }

  private static String attempt(Mesh mesh, String service) {
    try (MeshConnection connection = mesh.connect(service, 80).toCompletableFuture().join()) {
      return "connected to " + connection.remoteAddress();
    } catch (CompletionException e) {
      return e.getCause() instanceof MeshException refused
          ? refused.getClass().getSimpleName() + " " + refused.getMessage()
          : String.valueOf(e.getCause());
    }
  }

  /** Knocks at the inventory's HBONE port with TLS 1.3 but nothing to show. */
  private static String withoutCertificate(Mesh mesh, String hboneAddress)
      throws GeneralSecurityException, IOException {
    int colon = hboneAddress.lastIndexOf(':');
    InetSocketAddress hbone =
        new InetSocketAddress(
            hboneAddress.substring(0, colon), Integer.parseInt(hboneAddress.substring(colon + 1)));
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    anchors.load(null, null);
    int entry = 0;
    for (var anchor : mesh.identity().current().bundles().all().iterator().next().anchors()) {
      anchors.setCertificateEntry("anchor" + entry++, anchor);
    }
    trust.init(anchors);
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
      socket.connect(hbone);
      socket.startHandshake();
      // In TLS 1.3 the server judges the client's certificate after the client has finished.
      int first = socket.getInputStream().read();
      return first < 0 ? "refused: connection closed" : "accepted";
    } catch (IOException e) {
      return "refused: " + e.getMessage();
    }
  }
}
