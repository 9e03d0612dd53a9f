// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.state.ServiceLookup.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes the look-ups of services in step. Used by one writer, for one batch. */
final class ServiceLookupEdit {

  private final TableEdit<Service> byKey;
  private final TableEdit<Service> byHostname;
  private final AddressTables.Edit<Service> byVip;
  private final Map<String, List<Range>> ranges;

  /** The networks whose ranges have been copied. */
  private final Map<String, List<Range>> changedRanges = new HashMap<>();

  ServiceLookupEdit(ServiceLookup origin) {
    byKey = origin.byKey().edit();
    byHostname = origin.byHostname().edit();
    byVip = origin.byVip().edit();
    ranges = origin.ranges();
  }

  @Nullable Service byKey(NamespacedHostname key) {
    return ServiceLookup.byKey(byKey, key);
  }

  void add(Service service) {
    byKey.add(service.key().hashCode(), service);
    byHostname.add(service.hostname().hashCode(), service);
    for (NetworkAddress vip : service.vips()) {
      byVip.of(vip.network()).add(AddressTables.hash(vip.address()), service);
    }
    for (NetworkCidr vip : service.cidrVips()) {
      rangesOf(vip.network()).add(new Range(vip.cidr(), service));
    }
  }

  @SuppressWarnings("ReferenceEquality") // Its ranges hold the very service.
  void remove(Service service) {
    byKey.remove(service.key().hashCode(), service);
    byHostname.remove(service.hostname().hashCode(), service);
    for (NetworkAddress vip : service.vips()) {
      byVip.of(vip.network()).remove(AddressTables.hash(vip.address()), service);
    }
    for (NetworkCidr vip : service.cidrVips()) {
      rangesOf(vip.network()).removeIf(range -> range.service() == service);
    }
  }

  private List<Range> rangesOf(String network) {
    return changedRanges.computeIfAbsent(
        network, unused -> new ArrayList<>(ranges.getOrDefault(network, List.of())));
  }

  ServiceLookup finish() {
    return new ServiceLookup(byKey.finish(), byHostname.finish(), byVip.finish(), finishRanges());
  }

  private Map<String, List<Range>> finishRanges() {
    if (changedRanges.isEmpty()) {
      return ranges;
    }
    Map<String, List<Range>> all = new HashMap<>(ranges);
    changedRanges.forEach(
        (network, changed) -> {
          if (changed.isEmpty()) {
            all.remove(network);
          } else {
            all.put(network, List.copyOf(changed));
          }
        });
    return Map.copyOf(all);
  }
}
