// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.ByteString;
import java.util.function.Consumer;

/** Takes resources of one type into the state. Called by the client's thread. */
interface ResourceSink {

  /** Begins with a response. */
  Update begin();

  /** Whether a resource of this name is in the state. */
  boolean holds(String name);

  /** Names every resource in the state. */
  void forEachHeld(Consumer<String> action);

  /** What one response changes. Nothing of it is seen before {@link #apply}. */
  interface Update {

    /**
     * Decodes a resource and adds it, or puts it in the place of the one of that name.
     *
     * @throws RejectedResourceException if it cannot be used; what was known under the name stays
     */
    void put(String name, ByteString body) throws RejectedResourceException;

    /** Removes a resource, also one that was put in the same response. */
    void remove(String name);

    /** Brings all changes into the state at once. */
    void apply();
  }
}
