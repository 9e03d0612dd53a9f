// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.testing.Requires;
import io.heddle.testing.X509Vector;
import org.junit.jupiter.api.Nested;

class PeerVectorsTest {

  @Nested
  @Requires("boringssl")
  class OnBoringSsl extends PeerVectorsContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.BORINGSSL;
    }

    /** BoringSSL takes handshake signatures by these only if told to, and Netty cannot tell it. */
    @Override
    boolean knowsKeysLike(X509Vector vector) {
      return !vector.name().contains("ED25519") && !vector.name().contains("P521");
    }
  }

  @Nested
  class OnJdk extends PeerVectorsContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.JDK;
    }

    @Override
    boolean knowsKeysLike(X509Vector vector) {
      return true;
    }
  }
}
