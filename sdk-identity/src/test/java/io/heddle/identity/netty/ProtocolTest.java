// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.testing.Requires;
import org.junit.jupiter.api.Nested;

class ProtocolTest {

  @Nested
  @Requires("boringssl")
  class OnBoringSsl extends ProtocolContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.BORINGSSL;
    }
  }

  @Nested
  class OnJdk extends ProtocolContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.JDK;
    }
  }
}
