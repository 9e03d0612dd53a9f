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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Workloads and services: all of them, or those that were asked for by name. */
final class AddressWatch implements Watch {

  private static final String EVERYTHING = "*";

  private final String node;
  private boolean wildcard;

  /** What is asked for by name; of a wildcard stream, only what was after its first request. */
  private final Set<String> names = new TreeSet<>();

  AddressWatch(String node) {
    this.node = node;
  }

  @Override
  public Answer first(DeltaDiscoveryRequest request, Catalog catalog) {
    Set<String> asked = new TreeSet<>(request.getResourceNamesSubscribeList());
    asked.addAll(request.getInitialResourceVersionsMap().keySet());
    asked.removeAll(request.getResourceNamesUnsubscribeList());
    boolean star = asked.remove(EVERYTHING);
    wildcard = star || request.getResourceNamesSubscribeCount() == 0;
    Map<String, String> held = request.getInitialResourceVersionsMap();
    if (wildcard) {
      return everything(catalog, held, held.keySet());
    }
    names.addAll(asked);
    return named(asked, held, catalog);
  }

  @Override
  public @Nullable Answer again(DeltaDiscoveryRequest request, Catalog catalog) {
    Set<String> asked = new TreeSet<>(request.getResourceNamesSubscribeList());
    boolean changed = asked.remove(EVERYTHING);
    changed |= names.addAll(asked);
    changed |= names.removeAll(request.getResourceNamesUnsubscribeList());
    asked.removeAll(request.getResourceNamesUnsubscribeList());
    if (!changed) {
      return null;
    }
    if (wildcard) {
      return everything(catalog, Map.of(), asked);
    }
    if (asked.isEmpty() && ofNode(catalog).isEmpty()) {
      // Control-plane reference 2.9: istiod takes the empty list for all that there is.
      return new Answer(List.of(), names);
    }
    return named(asked, Map.of(), catalog);
  }

  @Override
  public @Nullable Answer pushed(CatalogChange change, Catalog catalog) {
    if (change.addresses().isEmpty()) {
      return null;
    }
    if (wildcard) {
      Map<String, Announcement> all = catalog.addresses();
      List<Resource> resources = new ArrayList<>();
      List<String> removed = new ArrayList<>();
      for (String name : change.addresses()) {
        Announcement found = all.get(name);
        if (found == null) {
          removed.add(name);
        } else {
          resources.add(found.resource());
        }
      }
      return new Answer(resources, removed);
    }
    Set<String> known = new TreeSet<>(change.addresses());
    known.retainAll(names);
    return known.isEmpty() && ofNode(catalog).isEmpty() ? null : named(known, Map.of(), catalog);
  }

  /** istiod repeats no address without a cause (control-plane reference 2.7). */
  @Override
  public @Nullable Answer forced(Catalog catalog) {
    return null;
  }

  private static Answer everything(
      Catalog catalog, Map<String, String> held, Set<String> expected) {
    Map<String, Announcement> all = catalog.addresses();
    Set<String> removed = new TreeSet<>(expected);
    removed.removeAll(all.keySet());
    List<Resource> resources =
        all.values().stream()
            .filter(announcement -> !isHeld(announcement, held))
            .map(Announcement::resource)
            .toList();
    return new Answer(resources, removed);
  }

  /** Looks the names up, and adds the workloads of the client's own node that it has not yet. */
  private Answer named(Set<String> asked, Map<String, String> held, Catalog catalog) {
    Set<String> wanted = new TreeSet<>(asked);
    wanted.addAll(ofNode(catalog));
    Map<String, Announcement> found = new LinkedHashMap<>();
    Set<String> missing = new TreeSet<>();
    for (String name : wanted) {
      Collection<Announcement> answers = catalog.find(name);
      if (answers.isEmpty()) {
        missing.add(name);
      }
      answers.forEach(answer -> found.put(answer.name(), answer));
    }
    names.addAll(found.keySet());
    List<Resource> resources =
        found.values().stream()
            .filter(announcement -> !isHeld(announcement, held))
            .map(Announcement::resourceWithAliases)
            .toList();
    return new Answer(resources, missing);
  }

  private List<String> ofNode(Catalog catalog) {
    return node.isEmpty()
        ? List.of()
        : catalog.workloadsOfNode(node).stream().filter(name -> !names.contains(name)).toList();
  }

  private static boolean isHeld(Announcement announcement, Map<String, String> held) {
    return announcement.version().equals(held.get(announcement.name()));
  }
}
