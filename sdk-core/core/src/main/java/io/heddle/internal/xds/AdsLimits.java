// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.time.Duration;

/**
 * How much of a control plane's doing is put up with.
 *
 * @param messageBytes the largest response; a snapshot of a whole mesh is one response
 * @param resourceBytes the largest resource
 * @param nameLength the longest name of a resource, in characters
 * @param resources how many resources of a type are held
 * @param requestBytes the largest request, which bounds what a reconnect can list
 * @param demands how many names are waited for at once, and how many answers are remembered
 * @param silence how long a stream may leave a subscription without its first answer
 * @param proof how long an answered stream has to live before its end is no failure any more
 */
public record AdsLimits(
    int messageBytes,
    int resourceBytes,
    int nameLength,
    int resources,
    int requestBytes,
    int demands,
    Duration silence,
    Duration proof) {

  private static final int MIB = 1 << 20;

  /** What a mesh of a million workloads needs. */
  public static final AdsLimits DEFAULT =
      new AdsLimits(
          // As the node proxy's (control-plane reference 1.5).
          200 * MIB,
          // A resource is made from one object of Kubernetes, which its store keeps below 1.5 MiB.
          2 * MIB,
          // The parts of a workload's uid are names of Kubernetes, each of at most 253 characters.
          2_048,
          2_000_000,
          // istiod receives 4 MiB (control-plane reference 1.5); the frame and the node need some.
          4 * MIB - 64 * 1024,
          100_000,
          Duration.ofMinutes(2),
          Duration.ofSeconds(10));

  /** Checks that every limit is positive. */
  public AdsLimits {
    require("messageBytes", messageBytes);
    require("resourceBytes", resourceBytes);
    require("nameLength", nameLength);
    require("resources", resources);
    require("requestBytes", requestBytes);
    require("demands", demands);
    require("silence", silence.toNanos());
    require("proof", proof.toNanos());
  }

  private static void require(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
    }
  }
}
