// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.Cidr;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Services by key, host name, address and address range, chosen for a client's namespace (HBONE
 * reference 2.2).
 *
 * <p>Where several remain, the reference takes the first that arrived; here it is the first by
 * namespace and host name, which is the same after every restart.
 *
 * @param byKey every service
 * @param byHostname the services by host name, of all namespaces
 * @param byVip the services by network and address
 * @param ranges the address ranges of services, by network
 */
record ServiceLookup(
    PersistentTable<Service> byKey,
    PersistentTable<Service> byHostname,
    AddressTables<Service> byVip,
    Map<String, List<Range>> ranges) {

  private static final Comparator<Service> PREFERENCE =
      Comparator.comparing(Service::canonical)
          .reversed()
          .thenComparing(Service::namespace)
          .thenComparing(Service::hostname);

  static final ServiceLookup EMPTY =
      new ServiceLookup(
          PersistentTable.empty(), PersistentTable.empty(), AddressTables.empty(), Map.of());

  /** One address range of a service. */
  record Range(Cidr cidr, Service service) {}

  @Nullable Service byKey(NamespacedHostname key) {
    return byKey(byKey, key);
  }

  static @Nullable Service byKey(Pages<Service> services, NamespacedHostname key) {
    for (long at = services.first(key.hashCode()); at != Pages.NONE; at = services.next(at)) {
      Service found = services.element(at);
      if (found.key().equals(key)) {
        return found;
      }
    }
    return null;
  }

  @Nullable Service byHostname(
      String hostname, @Nullable String clientNamespace, @Nullable String preferredNamespace) {
    Service best = null;
    for (long at = byHostname.first(hostname.hashCode());
        at != Pages.NONE;
        at = byHostname.next(at)) {
      Service found = byHostname.element(at);
      if (found.hostname().equals(hostname)) {
        best = preferred(best, found, clientNamespace, preferredNamespace);
      }
    }
    return best;
  }

  @Nullable Service byVip(String network, InetAddress address, @Nullable String clientNamespace) {
    InetAddress canonical = AddressTables.canonical(address);
    PersistentTable<Service> table = byVip.of(network);
    Service best = null;
    for (long at = table.first(AddressTables.hash(canonical));
        at != Pages.NONE;
        at = table.next(at)) {
      Service found = table.element(at);
      if (found.hasVip(network, canonical)) {
        best = preferred(best, found, clientNamespace, null);
      }
    }
    return best != null ? best : byRange(network, canonical, clientNamespace);
  }

  /** The better one for a client; one that it must not see is no candidate. */
  private static @Nullable Service preferred(
      @Nullable Service best, Service other, @Nullable String own, @Nullable String preferred) {
    if (!other.isVisibleTo(own)) {
      return best;
    }
    return best == null || isBetter(other, best, own, preferred) ? other : best;
  }

  private static boolean isBetter(
      Service one, Service other, @Nullable String own, @Nullable String preferred) {
    boolean isOwn = one.namespace().equals(own);
    if (isOwn != other.namespace().equals(own)) {
      return isOwn;
    }
    if (one.canonical() != other.canonical()) {
      return one.canonical();
    }
    boolean isPreferred = one.namespace().equals(preferred);
    return isPreferred == other.namespace().equals(preferred)
        ? PREFERENCE.compare(one, other) < 0
        : isPreferred;
  }

  private @Nullable Service byRange(
      String network, InetAddress canonical, @Nullable String clientNamespace) {
    Range best = null;
    List<Range> candidates = ranges.getOrDefault(network, List.of());
    // By number: every stranger's address comes here, and an iterator would be garbage.
    for (int i = 0; i < candidates.size(); i++) {
      Range range = candidates.get(i);
      if (range.cidr().contains(canonical)
          && range.service().isVisibleTo(clientNamespace)
          && (best == null || isBetter(range, best, clientNamespace))) {
        best = range;
      }
    }
    return best == null ? null : best.service();
  }

  /** The client's own namespace goes before the longer prefix, and that before canonical. */
  private static boolean isBetter(Range range, Range other, @Nullable String own) {
    boolean isOwn = range.service().namespace().equals(own);
    if (isOwn != other.service().namespace().equals(own)) {
      return isOwn;
    }
    int longer = Integer.compare(range.cidr().prefixLength(), other.cidr().prefixLength());
    return longer != 0 ? longer > 0 : PREFERENCE.compare(range.service(), other.service()) < 0;
  }
}
