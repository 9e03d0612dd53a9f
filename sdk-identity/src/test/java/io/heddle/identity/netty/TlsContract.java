// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.testing.TestPki;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** What the tests that hold for every TLS provider stand on. */
abstract class TlsContract {

  static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";
  static final String DB = "spiffe://mesh.test/ns/shop/sa/db";
  static final PeerAuthorizer TO_WEB = PeerAuthorizer.exactly(SpiffeId.parse(WEB));

  final TestPki pki = TestPki.create("mesh.test");
  final MeshNetwork network = new MeshNetwork();
  private final List<MeshTls> opened = new ArrayList<>();

  abstract TlsProvider provider();

  MeshTls.Builder builder(SvidSource source) {
    return MeshTls.builder(source).provider(provider());
  }

  MeshTls tls(SvidSource source) {
    return opened(builder(source).build());
  }

  MeshTls tls(String id) {
    return tls(pki.source(id));
  }

  MeshTls opened(MeshTls tls) {
    opened.add(tls);
    return tls;
  }

  @AfterEach
  void closeAll() {
    network.close();
    opened.forEach(MeshTls::close);
  }

  static PeerRejection rejection(Future<PeerSvid> refused) {
    return rejection(refused.cause());
  }

  static PeerRejection rejection(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PeerRejectedException rejected) {
        return rejected.reason();
      }
    }
    throw new AssertionError("no peer was rejected", failure);
  }
}
