// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.testing.Requires;
import org.junit.jupiter.api.Nested;

class HandshakeTest {

  @Nested
  @Requires("boringssl")
  class OnBoringSsl extends HandshakeContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.BORINGSSL;
    }
  }

  @Nested
  class OnJdk extends HandshakeContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.JDK;
    }
  }
}
