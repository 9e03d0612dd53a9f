// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.ByteString;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.wds.AddressReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Takes workloads and services into the index. */
final class AddressSink implements ResourceSink {

  private final WorkloadIndex index;
  private final AddressReader reader;

  AddressSink(WorkloadIndex index, RandomGenerator random) {
    this.index = index;
    this.reader = new AddressReader(random);
  }

  @Override
  public Update begin() {
    return new AddressUpdate();
  }

  @Override
  public boolean holds(String name) {
    MeshSnapshot known = index.current();
    return known.workload(name) != null || holdsService(known, name);
  }

  private static boolean holdsService(MeshSnapshot known, String name) {
    int slash = name.indexOf('/');
    return slash >= 0
        && known.service(
                new NamespacedHostname(name.substring(0, slash), name.substring(slash + 1)))
            != null;
  }

  @Override
  public void forEachHeld(Consumer<String> action) {
    MeshSnapshot known = index.current();
    for (Workload workload : known.workloads()) {
      action.accept(workload.uid());
    }
    for (Service service : known.services()) {
      action.accept(service.resourceName());
    }
  }

  private final class AddressUpdate implements Update {

    private final List<MeshAddress> sent = new ArrayList<>();
    private final Set<String> removed = new HashSet<>();

    @Override
    public void put(String name, ByteString body) throws RejectedResourceException {
      try {
        sent.add(reader.read(name, body));
      } catch (IllegalArgumentException e) {
        throw new RejectedResourceException(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void remove(String name) {
      removed.add(name);
    }

    @Override
    public void apply() {
      UpdateBatch.Builder batch = UpdateBatch.changes();
      for (MeshAddress address : sent) {
        // Looked up only when there is something to find: it makes the name anew.
        if (removed.isEmpty() || !removed.contains(address.resourceName())) {
          batch.put(address);
        }
      }
      removed.forEach(batch::remove);
      reader.applied(index.apply(batch.build()));
    }
  }
}
