// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

/** The types that are served (control-plane reference 2.2). */
public final class TypeUrls {

  /** Workloads and services. */
  public static final String ADDRESS = "type.googleapis.com/istio.workload.Address";

  /** Policies. */
  public static final String AUTHORIZATION = "type.googleapis.com/istio.security.Authorization";

  /** Health of a virtual machine, from client to server; never answered. */
  static final String HEALTH = "type.googleapis.com/istio.v1.HealthInformation";

  private TypeUrls() {}
}
