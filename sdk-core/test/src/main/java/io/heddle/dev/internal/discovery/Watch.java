// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.catalog.CatalogChange;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import org.jspecify.annotations.Nullable;

/** What one stream wants of one type. Its mode is fixed by the first request. */
interface Watch {

  /** The first request of a type is always answered. */
  Answer first(DeltaDiscoveryRequest request, Catalog catalog);

  /** A later request; null when it changes nothing, which istiod leaves unanswered. */
  @Nullable Answer again(DeltaDiscoveryRequest request, Catalog catalog);

  /** What of a change this stream is told; null for nothing. */
  @Nullable Answer pushed(CatalogChange change, Catalog catalog);

  /** What a push without a cause in particular repeats, as after a change of mesh-wide settings. */
  @Nullable Answer forced(Catalog catalog);
}
