// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts the three services as processes of their own, lets them talk, and judges what was seen:
 * one line a check, exit status 0 only if all hold. Takes {@code --config FILE} for another local
 * file with the same three workloads, and {@code --control-plane} to have a control plane announce
 * that file and certify the services, as istiod would.
 */
public final class Quickstart {

  /** Long against what a run takes, so that only a hang ends here. */
  private static final int LIMIT_SECONDS = 60;

  private static final int REQUESTS = 1_000;

  private final Checks checks = new Checks();
  private final Surroundings surroundings;

  private Quickstart(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Runs the quickstart.
   *
   * @param args nothing, {@code --config FILE}, {@code --control-plane}, or both
   * @throws Exception when the processes cannot be started
   */
  public static void main(String[] args) throws Exception {
    Path directory =
        Files.createTempDirectory(
            "heddle-quickstart-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    boolean allHold;
    try {
      Arguments arguments = Arguments.parse(args);
      Path config = arguments.config().orElseGet(() -> bundledConfig(directory));
      try (Surroundings surroundings =
          arguments.controlPlane()
              ? new ControlPlaneSurroundings(config)
              : new FileSurroundings(config, directory.resolve("ca"))) {
        allHold = new Quickstart(surroundings).run();
      }
    } finally {
      delete(directory);
    }
    System.exit(allHold ? 0 : 1);
  }

  private boolean run() throws Exception {
    System.out.println("quickstart: three JVMs, " + surroundings);
    try (ServiceProcess inventory = start("inventory", InventoryService.class);
        ServiceProcess storefront = start("storefront", StorefrontService.class);
        ServiceProcess intruder = start("intruder", IntruderService.class)) {
      identities(inventory, storefront, intruder);
      allowedCall(inventory, storefront);
      deniedCalls(inventory, intruder);
      load(inventory, storefront);
      shutdown(inventory, storefront, intruder);
    }
    return checks.report();
  }

  private void identities(ServiceProcess... services) throws InterruptedException {
    for (ServiceProcess service : services) {
      String id = service.await("identity", LIMIT_SECONDS).orElse("none");
      checks.add(
          service.name() + " has a SPIFFE identity of its own: " + id,
          id.startsWith("spiffe://") && id.endsWith("/sa/" + service.name()));
      service.await("ready", LIMIT_SECONDS);
    }
  }

  private void allowedCall(ServiceProcess inventory, ServiceProcess storefront)
      throws InterruptedException {
    storefront.send("call");
    String answer = storefront.await("answer", LIMIT_SECONDS).orElse("none");
    checks.add("the storefront's call is allowed: " + answer, answer.startsWith("200 "));
    String caller = inventory.await("caller", LIMIT_SECONDS).orElse("none");
    checks.add(
        "the inventory knows its caller, proven by mutual TLS: " + caller,
        caller.endsWith("/sa/storefront"));
  }

  private void deniedCalls(ServiceProcess inventory, ServiceProcess intruder)
      throws InterruptedException {
    intruder.send("attack " + inventory.await("hbone", LIMIT_SECONDS).orElse("unknown"));
    String reason = intruder.await("denied", LIMIT_SECONDS).orElse("none");
    checks.add(
        "the intruder's call is denied, with a typed reason: " + reason,
        reason.startsWith("PolicyDenied "));
    String unproven = intruder.await("unproven", LIMIT_SECONDS).orElse("none");
    checks.add(
        "a caller without a certificate gets nowhere: " + unproven, unproven.startsWith("refused"));
    String closed = intruder.await("no-endpoint", LIMIT_SECONDS).orElse("none");
    checks.add(
        "a service without endpoints is refused, never passed through: " + closed,
        closed.startsWith("NoRoute "));
  }

  private void load(ServiceProcess inventory, ServiceProcess storefront)
      throws InterruptedException {
    int before = inventory.count("rotated") + storefront.count("rotated");
    storefront.send("load " + REQUESTS);
    String load = storefront.await("load", LIMIT_SECONDS).orElse("ok=0 failed=? connections=?");
    checks.add(
        REQUESTS + " requests while certificates rotate, none fails: " + load,
        load.startsWith("ok=" + REQUESTS + " failed=0 "));
    int connections = number(load, "connections=");
    checks.add(
        REQUESTS + " requests needed few TLS connections: " + connections,
        connections >= 1 && connections <= 8);
    int rotations = inventory.count("rotated") + storefront.count("rotated") - before;
    checks.add("certificates rotated during the load: " + rotations + " times", rotations >= 4);
  }

  private void shutdown(
      ServiceProcess inventory, ServiceProcess storefront, ServiceProcess intruder)
      throws InterruptedException {
    storefront.send("slow-call");
    inventory.await("slow-call-arrived", LIMIT_SECONDS);
    inventory.send("stop");
    String slow = storefront.await("slow-answer", LIMIT_SECONDS).orElse("none");
    checks.add(
        "a request in flight survives the server's graceful shutdown: " + slow,
        slow.startsWith("200 "));
    storefront.send("stop");
    intruder.send("stop");
    for (ServiceProcess service : List.of(inventory, storefront, intruder)) {
      int status = service.awaitExit(LIMIT_SECONDS);
      checks.add(service.name() + " ends by itself, exit status " + status, status == 0);
    }
  }

  private ServiceProcess start(String name, Class<?> main) throws IOException {
    return ServiceProcess.start(
        name, main, surroundings.arguments(), surroundings.environment("shop/" + name));
  }

  private static Path bundledConfig(Path directory) {
    Path file = directory.resolve("mesh.yaml");
    try (InputStream bundled = Quickstart.class.getResourceAsStream("/quickstart.yaml")) {
      if (bundled == null) {
        throw new IllegalStateException("quickstart.yaml is missing from the class path");
      }
      Files.copy(bundled, file);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + file, e);
    }
    return file;
  }

  private static int number(String text, String key) {
    int at = text.indexOf(key);
    return at < 0 ? -1 : Integer.parseInt(text.substring(at + key.length()).split(" ", -1)[0]);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
