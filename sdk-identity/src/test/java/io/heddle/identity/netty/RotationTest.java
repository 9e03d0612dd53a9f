// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.heddle.testing.Requires;
import org.junit.jupiter.api.Nested;

class RotationTest {

  @Nested
  @Requires("boringssl")
  class OnBoringSsl extends RotationContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.BORINGSSL;
    }

    @Override
    int stormHandshakes() {
      return 2000;
    }
  }

  @Nested
  class OnJdk extends RotationContract {
    @Override
    TlsProvider provider() {
      return TlsProvider.JDK;
    }

    @Override
    int stormHandshakes() {
      return 200;
    }
  }
}
