// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A host of its own on this machine, made by {@code ip netns}; gone with its links when closed. */
public final class NetworkNamespace implements AutoCloseable {

  private static final int LIMIT_SECONDS = 30;
  private static final AtomicInteger MADE = new AtomicInteger();

  private final String name;

  private NetworkNamespace(String name) {
    this.name = name;
  }

  /** Makes one whose loopback is up and that has no other link. */
  public static NetworkNamespace create() {
    String name = "heddle-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
    run(List.of("ip", "netns", "add", name));
    NetworkNamespace made = new NetworkNamespace(name);
    made.ip("link", "set", "lo", "up");
    return made;
  }

  /** Why none can be made, in one line; empty when it can. */
  static Optional<String> missing() {
    if (Programs.find("ip").isEmpty()) {
      return Optional.of("no ip program (iproute2)");
    }
    try {
      create().close();
      return Optional.empty();
    } catch (IllegalStateException refused) {
      return Optional.of(refused.getMessage());
    }
  }

  /** Links this host with another; each end has addresses such as {@code 10.99.0.1/24}. */
  public void link(List<String> addresses, NetworkNamespace other, List<String> otherAddresses) {
    ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", other.name);
    up(addresses);
    other.up(otherAddresses);
  }

  private void up(List<String> addresses) {
    addresses.forEach(address -> ip("addr", "add", address, "dev", "eth0"));
    ip("link", "set", "eth0", "up");
  }

  /** Runs {@code ip} with arguments on this host. */
  public void ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", name));
    command.addAll(List.of(arguments));
    run(command);
  }

  /** A command on this host. */
  public ProcessBuilder command(List<String> command) {
    List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", name));
    inside.addAll(command);
    return new ProcessBuilder(inside);
  }

  @Override
  public void close() {
    run(List.of("ip", "netns", "delete", name));
  }

  private static void run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] said = process.getInputStream().readAllBytes();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + ": " + new String(said, StandardCharsets.UTF_8).strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
