// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.heddle.internal.proto.xds.Resource;
import java.util.Collection;
import java.util.List;

/**
 * The content of a response. An empty one is still sent: it says that the client is in sync.
 *
 * @param resources new and changed ones
 * @param removed names of what is gone, or never was
 */
record Answer(List<Resource> resources, Collection<String> removed) {

  /** Copies the collections. */
  Answer {
    resources = List.copyOf(resources);
    removed = List.copyOf(removed);
  }
}
