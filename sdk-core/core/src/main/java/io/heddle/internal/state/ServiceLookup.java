// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.Cidr;
import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Services by key, host name, address and address range, chosen for a client's namespace (HBONE
 * reference 2.2).
 *
 * <p>Where several remain, the reference takes the first that arrived; here it is the first by
 * namespace and host name, which is the same after every restart.
 *
 * @param byKey every service
 * @param byHostname the services of one host name in all namespaces
 * @param byVip the services of one address
 * @param ranges the services with address ranges, by network
 */
record ServiceLookup(
    PersistentMap<NamespacedHostname, Service> byKey,
    Candidates<String, Service> byHostname,
    ByNetworkAddress<Service> byVip,
    PersistentMap<String, List<Range>> ranges) {

  private static final Comparator<Service> PREFERENCE =
      Comparator.comparing(Service::canonical)
          .reversed()
          .thenComparing(Service::namespace)
          .thenComparing(Service::hostname);

  static final ServiceLookup EMPTY =
      new ServiceLookup(
          PersistentMap.empty(),
          Candidates.none(PREFERENCE),
          ByNetworkAddress.none(PREFERENCE),
          PersistentMap.empty());

  /** One address range of a service. */
  record Range(Cidr cidr, Service service) {}

  ServiceLookup with(Service service) {
    Candidates<String, Service> hostnames = byHostname.with(service.hostname(), service);
    ByNetworkAddress<Service> vips = byVip;
    for (NetworkAddress vip : service.vips()) {
      vips = vips.with(vip.network(), vip.address(), service);
    }
    PersistentMap<String, List<Range>> allRanges = ranges;
    for (NetworkCidr vip : service.cidrVips()) {
      List<Range> changed = new ArrayList<>(rangesOf(allRanges, vip.network()));
      changed.add(new Range(vip.cidr(), service));
      allRanges = allRanges.with(vip.network(), List.copyOf(changed));
    }
    return new ServiceLookup(byKey.with(service.key(), service), hostnames, vips, allRanges);
  }

  ServiceLookup without(Service service) {
    ByNetworkAddress<Service> vips = byVip;
    for (NetworkAddress vip : service.vips()) {
      vips = vips.without(vip.network(), vip.address(), service);
    }
    PersistentMap<String, List<Range>> allRanges = ranges;
    for (NetworkCidr vip : service.cidrVips()) {
      List<Range> rest = new ArrayList<>(rangesOf(allRanges, vip.network()));
      rest.removeIf(range -> PREFERENCE.compare(range.service(), service) == 0);
      allRanges =
          rest.isEmpty()
              ? allRanges.without(vip.network())
              : allRanges.with(vip.network(), List.copyOf(rest));
    }
    return new ServiceLookup(
        byKey.without(service.key()),
        byHostname.without(service.hostname(), service),
        vips,
        allRanges);
  }

  @Nullable Service byHostname(
      String hostname, @Nullable String clientNamespace, @Nullable String preferredNamespace) {
    return choose(byHostname.of(hostname), clientNamespace, preferredNamespace);
  }

  @Nullable Service byVip(String network, InetAddress address, @Nullable String clientNamespace) {
    Service exact = choose(byVip.of(network, address), clientNamespace, null);
    return exact != null ? exact : byRange(network, address, clientNamespace);
  }

  /** Candidates come with canonical ones first. */
  private static @Nullable Service choose(
      List<Service> candidates, @Nullable String own, @Nullable String preferred) {
    Service best = null;
    for (int i = 0; i < candidates.size(); i++) {
      Service candidate = candidates.get(i);
      if (!candidate.isVisibleTo(own)) {
        continue;
      }
      if (candidate.namespace().equals(own)) {
        return candidate;
      }
      boolean preferredOverBest =
          best != null && !best.canonical() && !best.namespace().equals(preferred);
      if (best == null || (preferredOverBest && candidate.namespace().equals(preferred))) {
        best = candidate;
      }
    }
    return best;
  }

  private @Nullable Service byRange(
      String network, InetAddress address, @Nullable String clientNamespace) {
    List<Range> candidates = rangesOf(ranges, network);
    if (candidates.isEmpty()) {
      return null;
    }
    InetAddress canonical = IpAddresses.canonical(address);
    Range best = null;
    for (Range range : candidates) {
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

  private static List<Range> rangesOf(PersistentMap<String, List<Range>> ranges, String network) {
    List<Range> found = ranges.get(network);
    return found == null ? List.of() : found;
  }
}
