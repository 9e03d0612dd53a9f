// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.token;

/**
 * Whom a token proves.
 *
 * @param namespace of the service account
 * @param serviceAccount its name
 * @param pod the pod that the token is bound to, or empty
 * @param podUid the uid of that pod, or empty
 */
public record Caller(String namespace, String serviceAccount, String pod, String podUid) {

  /** {@code namespace/serviceAccount}. */
  public String account() {
    return namespace + "/" + serviceAccount;
  }

  @Override
  public String toString() {
    return "system:serviceaccount:" + namespace + ":" + serviceAccount;
  }
}
