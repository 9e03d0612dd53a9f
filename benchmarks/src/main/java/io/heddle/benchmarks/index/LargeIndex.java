// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.wds.AddressReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The index of a large mesh that arrives as one message, beside protobuf parsing the same bytes,
 * and beside a hash map. The transport is left out on both sides.
 */
public final class LargeIndex {

  private static final int UPDATES = 4_000;
  private static final int RESOURCE =
      DeltaDiscoveryResponse.RESOURCES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final int pods;
  private final byte[] message;
  private final List<Resource> updates = new ArrayList<>();
  private final List<InetAddress> keys = new ArrayList<>();
  private final Map<InetAddress, Workload> map = new HashMap<>();
  private @Nullable WorkloadIndex index;
  private AddressReader reader = reader();

  /** What each update took, in nanoseconds, in ascending order. */
  private final long[] updateTimes = new long[UPDATES];

  /**
   * Makes the mesh.
   *
   * @param pods how many workloads it has; the services are a tenth of that
   * @throws IOException never
   */
  public LargeIndex(int pods) throws IOException {
    SyntheticMesh mesh = new SyntheticMesh(pods);
    this.pods = pods;
    message = mesh.responses(Integer.MAX_VALUE).next().toByteArray();
    for (int i = 0; i < UPDATES; i++) {
      updates.add(mesh.pod((int) (i * 7919L % pods), 1 + i % 3));
    }
    WorkloadIndex loaded = load();
    for (int i = 0; i < pods; i++) {
      InetAddress address = InetAddress.getByAddress(mesh.podAddress(i));
      keys.add(InetAddress.getByAddress(mesh.podAddress(i)));
      map.put(address, found(loaded.current().workload("", address)));
    }
    Collections.shuffle(keys, new Random(pods));
  }

  /** Seconds that protobuf needs to parse the message and the resources in it. */
  public double parse() throws IOException {
    long started = System.nanoTime();
    int resources = 0;
    for (Resource resource : DeltaDiscoveryResponse.parseFrom(message).getResourcesList()) {
      resources += Address.parseFrom(resource.getResource().getValue()).isInitialized() ? 1 : 0;
    }
    require(resources == pods + pods / SyntheticMesh.PODS_PER_SERVICE);
    return secondsSince(started);
  }

  /** Seconds from the first byte to the published index, resource by resource from a stream. */
  public double loadAnew() throws IOException {
    index = null;
    long started = System.nanoTime();
    index = load();
    return secondsSince(started);
  }

  private WorkloadIndex load() throws IOException {
    reader = reader();
    WorkloadIndex loaded = new WorkloadIndex("", UnknownPolicies.REFUSE);
    CodedInputStream input = CodedInputStream.newInstance(new ByteArrayInputStream(message));
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      if (tag == RESOURCE) {
        Resource resource =
            input.readMessage(Resource.parser(), ExtensionRegistryLite.getEmptyRegistry());
        batch.put(reader.read(resource.getName(), resource.getResource().getValue()));
      } else {
        input.skipField(tag);
      }
    }
    reader.applied(loaded.apply(batch.build()));
    require(loaded.current().workloads().size() == pods);
    return loaded;
  }

  /** Seconds that protobuf needs to parse the messages of single updates. */
  public double parseUpdates() throws IOException {
    long started = System.nanoTime();
    int parsed = 0;
    for (Resource update : updates) {
      parsed += Address.parseFrom(update.getResource().getValue()).isInitialized() ? 1 : 0;
    }
    require(parsed == UPDATES);
    return secondsSince(started);
  }

  /** Seconds that the same updates take, read, applied and published one by one. */
  public double update() {
    WorkloadIndex loaded = found(index);
    long started = System.nanoTime();
    for (int i = 0; i < UPDATES; i++) {
      long one = System.nanoTime();
      Resource update = updates.get(i);
      reader.applied(
          loaded.apply(
              UpdateBatch.changes()
                  .put(reader.read(update.getName(), update.getResource().getValue()))
                  .build()));
      updateTimes[i] = System.nanoTime() - one;
    }
    double seconds = secondsSince(started);
    Arrays.sort(updateTimes);
    return seconds;
  }

  /** Of the last round, in microseconds. */
  public double updateP99() {
    return updateTimes[UPDATES * 99 / 100] / 1e3;
  }

  /** Seconds to look each address up in the hash map. */
  public double lookUpInMap() {
    long started = System.nanoTime();
    int hits = 0;
    for (InetAddress key : keys) {
      hits += map.get(key) != null ? 1 : 0;
    }
    require(hits == pods);
    return secondsSince(started);
  }

  /** Seconds to look each address up in the index. */
  public double lookUpInIndex() {
    var state = found(index).current();
    long started = System.nanoTime();
    int hits = 0;
    for (InetAddress key : keys) {
      hits += state.workload("", key) != null ? 1 : 0;
    }
    require(hits == pods);
    return secondsSince(started);
  }

  /** The index is gone after this, and the map keeps no workload. */
  public void forget() {
    index = null;
    reader = reader();
    map.clear();
  }

  private static AddressReader reader() {
    return new AddressReader(new Random(1));
  }

  private static double secondsSince(long started) {
    return (System.nanoTime() - started) / 1e9;
  }

  private static <T> T found(@Nullable T value) {
    require(value != null);
    return Objects.requireNonNull(value);
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("the index does not hold what was sent");
    }
  }
}
