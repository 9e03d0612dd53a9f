// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import org.jspecify.annotations.Nullable;

/** A kind of resource that is subscribed to. The order is that of the first requests. */
public enum ResourceType {
  /** Workloads and services. */
  ADDRESS("istio.workload.Address"),
  /** Policies. */
  AUTHORIZATION("istio.security.Authorization");

  private static final String PREFIX = "type.googleapis.com/";

  private final String url;

  ResourceType(String message) {
    this.url = PREFIX + message;
  }

  /** Its name in requests and responses. */
  public String url() {
    return url;
  }

  /** The type of that name, or null. */
  static @Nullable ResourceType ofUrl(String url) {
    for (ResourceType type : values()) {
      if (type.url.equals(url)) {
        return type;
      }
    }
    return null;
  }
}
