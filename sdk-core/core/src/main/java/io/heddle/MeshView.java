// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.outbound.OutboundConnector;
import io.heddle.internal.runtime.FacadeAccess;
import io.heddle.internal.runtime.MeshRuntime;

/** The mesh as the adapters of this jar see it. */
record MeshView(MeshRuntime runtime) implements FacadeAccess.View<Exposure> {

  @Override
  public OutboundConnector connector() {
    return runtime.connector();
  }

  @Override
  public Exposure expose(int port, Delivery delivery) {
    return Exposures.add(runtime, port, delivery);
  }

  @Override
  public RuntimeException failure(String asked, Throwable cause) {
    return MeshFailures.of(asked, cause);
  }
}
