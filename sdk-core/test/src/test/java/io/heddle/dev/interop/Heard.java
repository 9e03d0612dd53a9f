// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import com.google.protobuf.InvalidProtocolBufferException;
import io.heddle.dev.AdsStream;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a control plane said of some namespaces, in as many responses as it liked: the last of each
 * name counts.
 */
final class Heard {

  private static final String REMOVED = "removed";

  private final List<String> namespaces;
  private final Map<String, String> last = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();

  Heard(List<String> namespaces) {
    this.namespaces = namespaces;
  }

  void add(DeltaDiscoveryResponse response) throws InvalidProtocolBufferException {
    for (Resource resource : response.getResourcesList()) {
      boolean isAddress = response.getTypeUrl().equals(AdsStream.ADDRESS);
      String content =
          isAddress
              ? Address.parseFrom(resource.getResource().getValue()).toString()
              : Authorization.parseFrom(resource.getResource().getValue()).toString();
      put(resource.getName(), resource.getAliasesList() + "\n" + content);
      if (isHeeded(resource.getName())) {
        versions.put(resource.getName(), resource.getVersion());
      }
    }
    response.getRemovedResourcesList().forEach(name -> put(name, REMOVED));
  }

  private void put(String name, String what) {
    if (isHeeded(name)) {
      last.put(name, what);
    }
  }

  private boolean isHeeded(String name) {
    return namespaces.stream().anyMatch(each -> ("/" + name).contains("/" + each + "/"));
  }

  boolean names(String name) {
    return last.containsKey(name);
  }

  boolean says(String name, String text) {
    return last.getOrDefault(name, "").contains(text);
  }

  /** The versions of what came, by name. */
  Map<String, String> versions() {
    return versions;
  }

  /** Names only, in order: those that came, and those that were removed. */
  List<String> names() {
    List<String> lines = new ArrayList<>();
    last.forEach((name, what) -> lines.add((what.equals(REMOVED) ? "- " : "+ ") + name));
    return lines;
  }

  /** Names and contents. */
  List<String> contents() {
    List<String> lines = new ArrayList<>();
    last.forEach((name, what) -> lines.add(name + " " + what));
    return lines;
  }
}
