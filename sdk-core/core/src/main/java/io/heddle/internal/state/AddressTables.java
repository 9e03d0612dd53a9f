// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.IpAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What is found by address, in a table for each network: the same address in two networks is two
 * addresses. Two levels, so that a look-up makes no key object.
 *
 * @param byNetwork the tables, in which elements are filed under {@link #hash} of an address
 */
record AddressTables<E>(Map<String, PersistentTable<E>> byNetwork) {

  static <E> AddressTables<E> empty() {
    return new AddressTables<>(Map.of());
  }

  PersistentTable<E> of(String network) {
    PersistentTable<E> found = byNetwork.get(network);
    return found == null ? PersistentTable.empty() : found;
  }

  static int hash(InetAddress canonical) {
    return canonical instanceof Inet4Address ipv4
        ? IpAddresses.ipv4Bits(ipv4)
        : canonical.hashCode();
  }

  /** An IPv4 address has one form only, and is what nearly every look-up asks for. */
  static InetAddress canonical(InetAddress address) {
    return address instanceof Inet4Address ? address : IpAddresses.canonical(address);
  }

  Edit<E> edit() {
    return new Edit<>(this);
  }

  /** Changes the tables. Used by one writer, for one batch. */
  static final class Edit<E> {

    private final AddressTables<E> origin;
    private final Map<String, TableEdit<E>> changed = new HashMap<>();

    private Edit(AddressTables<E> origin) {
      this.origin = origin;
    }

    /** The table of a network, to be changed. */
    TableEdit<E> of(String network) {
      TableEdit<E> edit = changed.get(network);
      if (edit == null) {
        edit = origin.of(network).edit();
        changed.put(network, edit);
      }
      return edit;
    }

    AddressTables<E> finish() {
      if (changed.isEmpty()) {
        return origin;
      }
      Map<String, PersistentTable<E>> all = new HashMap<>(origin.byNetwork);
      changed.forEach(
          (network, edit) -> {
            PersistentTable<E> table = edit.finish();
            if (table.size() == 0) {
              all.remove(network);
            } else {
              all.put(network, table);
            }
          });
      return new AddressTables<>(Map.copyOf(all));
    }
  }
}
