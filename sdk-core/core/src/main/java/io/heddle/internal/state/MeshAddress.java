// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** What an address of the mesh stands for. */
public sealed interface MeshAddress permits Workload, Service {

  /** The name under which a source of state sends and removes it. */
  String resourceName();
}
