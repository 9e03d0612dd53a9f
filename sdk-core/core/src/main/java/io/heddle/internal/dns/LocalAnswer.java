// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the mesh says about a name that is a service's.
 *
 * @param alias the name that the asked one is another word for, or null
 * @param addresses in the order of the answer; none is an answer too
 */
record LocalAnswer(@Nullable String alias, List<InetAddress> addresses) {

  /** Copies the list. */
  LocalAnswer {
    addresses = List.copyOf(addresses);
  }
}
