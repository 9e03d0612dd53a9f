// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Service ports and the ports behind them. Kept as two sorted arrays, because there is one such map
 * for every endpoint.
 */
public final class PortMap {

  /** What {@link #target} says of a service port that is not in the map. */
  public static final int ABSENT = -1;

  /** No ports. */
  public static final PortMap EMPTY = new PortMap(new int[0], new int[0]);

  private static final int MAX_PORT = 65_535;

  private final int[] servicePorts;
  private final int[] targetPorts;

  private PortMap(int[] servicePorts, int[] targetPorts) {
    this.servicePorts = servicePorts;
    this.targetPorts = targetPorts;
  }

  /**
   * Makes a map of service port to target port.
   *
   * @throws IllegalArgumentException if a service port is not 1 to 65535 or a target not 0 to 65535
   */
  public static PortMap of(Map<Integer, Integer> ports) {
    if (ports.isEmpty()) {
      return EMPTY;
    }
    int[] servicePorts = new int[ports.size()];
    int[] targetPorts = new int[ports.size()];
    int i = 0;
    for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
      servicePorts[i] = port.getKey();
      targetPorts[i++] = port.getValue();
    }
    return of(servicePorts, targetPorts);
  }

  /**
   * Makes a map of service ports and the target ports at the same indices. Of a service port that
   * is there twice the last one counts.
   *
   * @throws IllegalArgumentException if a service port is not 1 to 65535 or a target not 0 to 65535
   */
  public static PortMap of(int[] servicePorts, int[] targetPorts) {
    if (servicePorts.length == 0) {
      return EMPTY;
    }
    long[] order = new long[servicePorts.length];
    for (int i = 0; i < order.length; i++) {
      if (requirePort(servicePorts[i], "service port") == 0) {
        throw new IllegalArgumentException("service port 0 (expected: 1 to 65535)");
      }
      requirePort(targetPorts[i], "target port");
      order[i] = (long) servicePorts[i] << Integer.SIZE | i;
    }
    Arrays.sort(order);
    int[] sortedPorts = new int[order.length];
    int[] sortedTargets = new int[order.length];
    int size = 0;
    for (long next : order) {
      int i = (int) next;
      boolean again = size > 0 && sortedPorts[size - 1] == servicePorts[i];
      int at = again ? size - 1 : size++;
      sortedPorts[at] = servicePorts[i];
      sortedTargets[at] = targetPorts[i];
    }
    return size == order.length
        ? new PortMap(sortedPorts, sortedTargets)
        : new PortMap(Arrays.copyOf(sortedPorts, size), Arrays.copyOf(sortedTargets, size));
  }

  /**
   * The port behind a service port: {@link #ABSENT} when there is none, 0 when it is named and each
   * endpoint decides.
   */
  public int target(int servicePort) {
    int i = Arrays.binarySearch(servicePorts, servicePort);
    return i < 0 ? ABSENT : targetPorts[i];
  }

  /** Whether the service port is in the map. */
  public boolean contains(int servicePort) {
    return Arrays.binarySearch(servicePorts, servicePort) >= 0;
  }

  /** Whether there are no ports. */
  public boolean isEmpty() {
    return servicePorts.length == 0;
  }

  /** The ports as a map, in ascending order. */
  public Map<Integer, Integer> asMap() {
    TreeMap<Integer, Integer> map = new TreeMap<>();
    for (int i = 0; i < servicePorts.length; i++) {
      map.put(servicePorts[i], targetPorts[i]);
    }
    return map;
  }

  static int requirePort(int port, String what) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(what + " " + port + " (expected: 0 to " + MAX_PORT + ")");
    }
    return port;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PortMap that
        && Arrays.equals(servicePorts, that.servicePorts)
        && Arrays.equals(targetPorts, that.targetPorts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(servicePorts) + Arrays.hashCode(targetPorts);
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
