// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.heddle.dev.internal.catalog.Announcement;
import io.heddle.dev.internal.catalog.Catalog;
import io.heddle.dev.internal.catalog.CatalogChange;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Policies: always all of them, without versions (control-plane reference 2.7 and 2.8). */
final class AuthorizationWatch implements Watch {

  private final Set<String> sent = new TreeSet<>();

  @Override
  public Answer first(DeltaDiscoveryRequest request, Catalog catalog) {
    return all(catalog, request.getInitialResourceVersionsMap().keySet());
  }

  @Override
  public @Nullable Answer again(DeltaDiscoveryRequest request, Catalog catalog) {
    Set<String> asked = new TreeSet<>(request.getResourceNamesSubscribeList());
    boolean changed = !sent.containsAll(asked);
    changed |= sent.removeAll(request.getResourceNamesUnsubscribeList());
    return changed ? all(catalog, asked) : null;
  }

  @Override
  public @Nullable Answer pushed(CatalogChange change, Catalog catalog) {
    if (change.policies().isEmpty()) {
      return null;
    }
    List<Resource> resources = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    for (String name : change.policies()) {
      Announcement found = catalog.policies().get(name);
      if (found == null) {
        removed.add(name);
        sent.remove(name);
      } else {
        resources.add(found.resourceWithoutVersion());
        sent.add(name);
      }
    }
    return new Answer(resources, removed);
  }

  @Override
  public @Nullable Answer forced(Catalog catalog) {
    return all(catalog, Set.copyOf(sent));
  }

  private Answer all(Catalog catalog, Collection<String> expected) {
    Set<String> removed = new TreeSet<>(expected);
    removed.removeAll(catalog.policies().keySet());
    sent.clear();
    sent.addAll(catalog.policies().keySet());
    return new Answer(
        catalog.policies().values().stream().map(Announcement::resourceWithoutVersion).toList(),
        removed);
  }
}
