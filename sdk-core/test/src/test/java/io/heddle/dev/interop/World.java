// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.dev.PlaneClient;
import javax.net.ssl.SSLException;

/**
 * One namespace, as a control plane announces it. Services and policies select the one pod of their
 * own name.
 */
interface World {

  String namespace();

  /** A pod whose service account is named as itself. */
  void pod(String name, String address, String node);

  void deletePod(String name);

  void service(String name, String vip, int servicePort, int targetPort);

  void deleteService(String name);

  /** Only one caller of this namespace reaches the pod. */
  void allow(String pod, String caller);

  void deletePolicy(String pod);

  /** Nothing but authenticated tunnels in this namespace. */
  void strict();

  PlaneClient client() throws SSLException;

  /** Of a pod of this namespace. */
  String token(String pod);
}
