// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.grpc.Status;

/**
 * Why a stream ended, and what that says.
 *
 * @param status what the call ended with
 */
record StreamEnd(Status status) {

  private static final int LONGEST_DESCRIPTION = 500;

  /**
   * Whether it is what control planes do all the time: they limit the age of connections, and they
   * restart (control-plane reference 1.5, 2.11).
   */
  boolean isRoutine() {
    return switch (status.getCode()) {
      case OK, CANCELLED, DEADLINE_EXCEEDED, UNKNOWN -> true;
      case UNAVAILABLE -> {
        String text = String.valueOf(status.getDescription());
        yield text.contains("GOAWAY")
            || text.contains("goaway")
            || text.contains("transport is closing");
      }
      default -> false;
    };
  }

  /** What happened and what to look at. */
  String diagnosis() {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    String said = description == null ? "" : ": " + description;
    String because = cause == null || cause.getMessage() == null ? "" : " (" + cause + ")";
    return status.getCode()
        + Rejections.shortened(said + because, LONGEST_DESCRIPTION)
        + advice(said);
  }

  private String advice(String said) {
    return switch (status.getCode()) {
      case UNAUTHENTICATED ->
          "; check the token (its file, its audience istio-ca, its expiry) and the cluster id";
      case PERMISSION_DENIED ->
          "; check that POD_NAMESPACE and, if given, SERVICE_ACCOUNT are the token's";
      case UNIMPLEMENTED ->
          "; check the address: this server does not speak incremental aggregated discovery";
      case INVALID_ARGUMENT -> "; check the node: its type, address and namespace";
      case RESOURCE_EXHAUSTED ->
          said.contains("maximum size")
              ? "; the mesh's state does not fit into one response: raise the inbound limit"
              : "; the control plane admits only so many new streams a second: retried";
      case UNAVAILABLE -> "; check the address, and the root certificate for its name";
      default -> "";
    };
  }
}
