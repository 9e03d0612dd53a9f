// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.fault;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The deviations that are in force. May be changed and asked from any thread. */
public final class Conduct {

  private static final String NOBODYS_TYPE = "type.googleapis.com/istio.workload.Unheard";

  /** Ends inside a field, whatever the message. */
  private static final byte[] NO_MESSAGE = {(byte) 0x0a, (byte) 0x7f, 1, 2, 3};

  private final Set<Deviation> deviations = ConcurrentHashMap.newKeySet();
  private volatile Duration delay = Duration.ZERO;

  /** Begins to deviate. */
  public void begin(Deviation deviation) {
    deviations.add(deviation);
  }

  /** Ends a deviation. */
  public void end(Deviation deviation) {
    deviations.remove(deviation);
  }

  /** Behaves again. */
  public void behave() {
    deviations.clear();
    delay = Duration.ZERO;
  }

  /** Whether it deviates so. */
  public boolean is(Deviation deviation) {
    return deviations.contains(deviation);
  }

  /** How long each answer of discovery waits. */
  public Duration delay() {
    return delay;
  }

  /** Lets each answer of discovery wait. */
  public void delay(Duration newDelay) {
    delay = newDelay;
  }

  /** A response as it leaves this control plane. */
  public DeltaDiscoveryResponse spoiled(DeltaDiscoveryResponse response) {
    DeltaDiscoveryResponse.Builder spoiled = response.toBuilder();
    if (is(Deviation.UNREADABLE_RESOURCES)) {
      for (Resource.Builder resource : spoiled.getResourcesBuilderList()) {
        Any content = resource.getResource();
        resource.setResource(content.toBuilder().setValue(ByteString.copyFrom(NO_MESSAGE)).build());
      }
    }
    if (is(Deviation.UNKNOWN_TYPES)) {
      spoiled.setTypeUrl(NOBODYS_TYPE);
    }
    return spoiled.build();
  }

  /** The bytes of a response as they leave this control plane. */
  public InputStream spoiled(InputStream bytes) {
    return is(Deviation.BROKEN_MESSAGES) ? new ByteArrayInputStream(NO_MESSAGE) : bytes;
  }
}
