// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one of each part that many workloads and services are made of, so that equal ones are one
 * object in the whole index. Used by one thread.
 *
 * <p>Having forgotten a part costs no more than a second copy of it. So nothing is counted:
 * everything is forgotten when there is more of it than the state can account for.
 */
public final class SharedParts {

  /** A small state that changes fast needs no more parts than this. */
  private static final int SLACK = 4096;

  private static final int PARTS_PER_RESOURCE = 8;

  private TableEdit<String> texts = none();
  private TableEdit<NamespacedHostname> names = none();
  private TableEdit<PortMap> portMaps = none();
  private TableEdit<Placement> placements = none();
  private TableEdit<WorkloadProfile> profiles = none();

  /**
   * Forgets everything if most of it must be of resources that are gone.
   *
   * @return whether it did
   */
  public boolean forgetStale(MeshSnapshot state) {
    long parts =
        (long) texts.size() + names.size() + portMaps.size() + placements.size() + profiles.size();
    if (parts > PARTS_PER_RESOURCE * state.size() + SLACK) {
      texts = none();
      names = none();
      portMaps = none();
      placements = none();
      profiles = none();
      return true;
    }
    return false;
  }

  /** The one text that equals the given one. */
  public String text(String text) {
    return text.isEmpty() ? "" : shared(texts, text);
  }

  /** The one map that equals the given one. */
  public PortMap ports(PortMap ports) {
    return shared(portMaps, ports);
  }

  /**
   * The name that is written {@code namespace/hostname}.
   *
   * @throws IllegalArgumentException with the reason, when the text is anything else
   */
  public NamespacedHostname name(String text) {
    int hash = text.hashCode();
    NamespacedHostname known = find(names, hash, text, SharedParts::isWritten);
    if (known == null) {
      NamespacedHostname parsed = NamespacedHostname.parse(text);
      known = new NamespacedHostname(text(parsed.namespace()), parsed.hostname());
      names.add(hash, known);
    }
    return known;
  }

  Placement placement(Placement placement) {
    int hash = placement.hashCode();
    Placement known = find(placements, hash, placement, Placement::equals);
    if (known == null) {
      known = placement.sharing(this);
      placements.add(hash, known);
    }
    return known;
  }

  WorkloadProfile profile(WorkloadProfile profile) {
    int hash = profile.hashCode();
    WorkloadProfile known = find(profiles, hash, profile, WorkloadProfile::equals);
    if (known == null) {
      known = profile.sharing(this);
      profiles.add(hash, known);
    }
    return known;
  }

  private static <T> T shared(TableEdit<T> table, T part) {
    int hash = part.hashCode();
    T known = find(table, hash, part, Object::equals);
    if (known == null) {
      known = part;
      table.add(hash, known);
    }
    return known;
  }

  private static <T, K> @Nullable T find(
      TableEdit<T> table, int hash, K key, BiPredicate<T, K> matches) {
    for (long at = table.first(hash); at != Pages.NONE; at = table.next(at)) {
      T found = table.element(at);
      if (matches.test(found, key)) {
        return found;
      }
    }
    return null;
  }

  private static boolean isWritten(NamespacedHostname name, String text) {
    int slash = name.namespace().length();
    return text.length() == slash + 1 + name.hostname().length()
        && text.charAt(slash) == '/'
        && text.startsWith(name.namespace())
        && text.endsWith(name.hostname());
  }

  private static <T> TableEdit<T> none() {
    return new TableEdit<>(PersistentTable.empty());
  }
}
