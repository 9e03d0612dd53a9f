// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.testing.Requires;
import org.junit.jupiter.api.Nested;

class HandshakeLoadTest {

  @Nested
  @Requires("boringssl")
  class OnBoringSsl extends HandshakeLoadContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.BORINGSSL;
    }

    @Override
    int newPeers() {
      return 500;
    }
  }

  @Nested
  class OnJdk extends HandshakeLoadContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.JDK;
    }

    @Override
    int newPeers() {
      return 50;
    }
  }
}
