// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/** A port that the mesh delivers to this process, until it is closed. */
public interface Exposure extends AutoCloseable {

  /**
   * The port that peers ask for.
   *
   * @return 1 to 65535
   */
  int port();

  /** No new connections reach the application by this exposure; those that exist go on. */
  @Override
  void close();
}
