// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.runtime.MeshRuntime;

/** Makes and ends exposures. */
final class Exposures {

  private Exposures() {}

  static Exposure add(MeshRuntime runtime, int port, Delivery delivery) {
    Ports.require(port);
    if (!runtime.expose(port, delivery)) {
      throw new MeshException.InvalidConfiguration(
          "expose port " + port,
          "it is exposed already",
          "close the other exposure first, or choose another port",
          null);
    }
    return new Active(runtime, port, delivery);
  }

  private record Active(MeshRuntime runtime, int port, Delivery delivery) implements Exposure {
    @Override
    public void close() {
      runtime.conceal(port, delivery);
    }
  }
}
