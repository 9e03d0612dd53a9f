// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.util.ArrayList;
import java.util.List;

/**
 * How a mesh is doing.
 *
 * @param state what it can do
 * @param reasons why it is not {@link State#READY}, one line each, without secrets
 */
public record MeshHealth(State state, List<String> reasons) {

  /**
   * Copies the list.
   *
   * @param state what it can do
   * @param reasons why it is not {@link State#READY}, one line each, without secrets
   */
  public MeshHealth {
    reasons = List.copyOf(reasons);
  }

  /** What a mesh can do. */
  public enum State {
    /** Everything works. */
    READY,
    /**
     * Connections are made and taken, but by what was last known: the control plane is away, or the
     * certificate is not renewed.
     */
    DEGRADED,
    /** New connections fail, because the certificate has expired or this workload is unknown. */
    UNREADY
  }

  static MeshHealth of(List<String> pending, List<String> troubles) {
    if (!pending.isEmpty()) {
      List<String> reasons = new ArrayList<>(pending);
      reasons.addAll(troubles);
      return new MeshHealth(State.UNREADY, reasons);
    }
    return new MeshHealth(troubles.isEmpty() ? State.READY : State.DEGRADED, troubles);
  }
}
