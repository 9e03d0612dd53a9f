// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.WorkloadIndex;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes policies into the index. A policy that cannot be read changes nothing while a good version
 * of it is held; if none is, one that refuses takes its place (DESIGN D8).
 */
final class AuthorizationSink implements ResourceSink {

  private final WorkloadIndex index;

  AuthorizationSink(WorkloadIndex index) {
    this.index = index;
  }

  @Override
  public Update begin() {
    return new PolicyUpdate(index.current().policies().policies());
  }

  @Override
  public boolean holds(String name) {
    return index.current().policies().policies().containsKey(name);
  }

  @Override
  public void forEachHeld(Consumer<String> action) {
    List.copyOf(index.current().policies().policies().keySet()).forEach(action);
  }

  private final class PolicyUpdate implements Update {

    private final Map<String, AuthorizationPolicy> held;
    private final Map<String, AuthorizationPolicy> sent = new LinkedHashMap<>();
    private final Set<String> removed = new LinkedHashSet<>();

    PolicyUpdate(Map<String, AuthorizationPolicy> held) {
      this.held = held;
    }

    @Override
    public void put(String name, ByteString body) throws RejectedResourceException {
      AuthorizationPolicy policy = read(name, body);
      String defect = policy.defect();
      if (defect == null || !hasGoodVersion(name)) {
        sent.put(name, policy);
      }
      if (defect != null) {
        throw new RejectedResourceException(defect);
      }
    }

    private static AuthorizationPolicy read(String name, ByteString body) {
      try {
        return AuthorizationReader.read(Authorization.parseFrom(body));
      } catch (InvalidProtocolBufferException e) {
        return AuthorizationReader.unreadable(name, "not an Authorization: " + e.getMessage());
      }
    }

    private boolean hasGoodVersion(String name) {
      AuthorizationPolicy former = sent.getOrDefault(name, held.get(name));
      return former != null && former.defect() == null;
    }

    @Override
    public void remove(String name) {
      removed.add(name);
    }

    @Override
    public void apply() {
      UpdateBatch.Builder batch = UpdateBatch.changes();
      sent.keySet().removeAll(removed);
      sent.forEach(batch::putPolicy);
      removed.forEach(batch::removePolicy);
      index.apply(batch.build());
    }
  }
}
