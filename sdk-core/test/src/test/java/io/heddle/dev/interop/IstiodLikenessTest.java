// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import static io.heddle.dev.AdsStream.ADDRESS;
import static io.heddle.dev.AdsStream.AUTHORIZATION;
import static io.heddle.dev.AdsStream.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The local control plane says, word for word, what istiod says about the same world. */
@Tag("interop")
@Requires("istiod")
@ExtendWith(IstiodExtension.class)
class IstiodLikenessTest {

  /** Talks with a control plane, and returns what it heard. */
  @FunctionalInterface
  private interface Talk {
    List<String> about(World world) throws Exception;
  }

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final String namespace = "alike-" + NAMESPACES.incrementAndGet();
  private final String net = PodAddresses.free(4);
  private final String vip = "127.32.1" + NAMESPACES.get() + ".1";
  private final Istiod istiod;

  IstiodLikenessTest(Istiod istiod) {
    this.istiod = istiod;
  }

  private void assertAlike(Talk talk) throws Exception {
    List<String> fromIstiod = talk.about(IstiodWorld.create(namespace, istiod));
    try (LocalWorld local = LocalWorld.start(namespace)) {
      assertThat(talk.about(local)).isEqualTo(fromIstiod);
    }
  }

  private static String pod(World world, String name) {
    return "Kubernetes//Pod/" + world.namespace() + "/" + name;
  }

  private static String service(World world, String name) {
    return world.namespace() + "/" + name + "." + world.namespace() + ".svc.cluster.local";
  }

  /** The pods web and api on two nodes, and a service of the second, as known to everybody. */
  private void shop(World world) throws Exception {
    world.pod("web", net + 1, "node-1");
    world.pod("api", net + 2, "node-2");
    world.service("api", vip, 80, 8080);
    try (Conversation talk = new Conversation(world)) {
      talk.open(request(ADDRESS), heard -> isComplete(world, heard));
    }
  }

  private static boolean isComplete(World world, Heard heard) {
    return heard.names(pod(world, "web"))
        && heard.names(service(world, "api"))
        && heard.says(pod(world, "api"), "service_port");
  }

  @Test
  @DisplayName("a pod, a service, and a pod behind it have the same fields")
  void addresses() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          try (Conversation talk = new Conversation(world)) {
            return talk.open(request(ADDRESS)).contents();
          }
        });
  }

  @Test
  @DisplayName("an allowing policy has the same fields, and its pod names it")
  void policy() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          String name = world.namespace() + "/api";
          try (Conversation addresses = new Conversation(world);
              Conversation policies = new Conversation(world)) {
            addresses.open(request(ADDRESS));
            policies.open(request(AUTHORIZATION));
            world.allow("api", "web");
            List<String> lines = new ArrayList<>();
            lines.addAll(policies.until(heard -> heard.names(name)).contents());
            lines.addAll(addresses.until(heard -> heard.names(pod(world, "api"))).contents());
            world.deletePolicy("api");
            lines.addAll(policies.until(heard -> heard.names(name)).contents());
            lines.addAll(addresses.until(heard -> heard.names(pod(world, "api"))).contents());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("CP-49 a strict namespace is a static policy that its pods name")
  void strict() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          world.strict();
          String policy = "istio-system/istio_converted_static_strict";
          try (Conversation talk = new Conversation(world, Istiod.ROOT_NAMESPACE)) {
            List<String> lines = new ArrayList<>();
            lines.addAll(
                talk.open(
                        request(ADDRESS),
                        heard ->
                            heard.says(pod(world, "api"), policy)
                                && heard.says(pod(world, "web"), policy))
                    .contents());
            lines.addAll(talk.ask(request(AUTHORIZATION)).contents());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("CP-50 what comes and goes is pushed by name, with the pods that it changes")
  void pushes() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          String late = pod(world, "late");
          String service = service(world, "late");
          try (Conversation talk = new Conversation(world)) {
            talk.open(request(ADDRESS));
            List<String> lines = new ArrayList<>();
            world.pod("late", net + 3, "node-2");
            lines.addAll(talk.until(heard -> heard.names(late)).names());
            world.service("late", vip + "1", 80, 8080);
            lines.addAll(talk.until(heard -> heard.names(service) && heard.names(late)).names());
            world.deleteService("late");
            lines.addAll(talk.until(heard -> heard.names(service) && heard.names(late)).names());
            world.deletePod("late");
            lines.addAll(talk.until(heard -> heard.names(late)).names());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("CP-40 CP-41 a reconnect is told what changed, what is new and what is gone")
  void reconnect() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          Map<String, String> versions;
          try (Conversation talk = new Conversation(world)) {
            versions = talk.open(request(ADDRESS)).versions();
          }
          List<String> lines = new ArrayList<>();
          try (Conversation talk = new Conversation(world)) {
            lines.addAll(
                talk.open(request(ADDRESS).putAllInitialResourceVersions(versions)).names());
          }
          try (Conversation talk = new Conversation(world)) {
            lines.addAll(
                talk.open(
                        request(ADDRESS)
                            .addResourceNamesSubscribe("*")
                            .putInitialResourceVersions(pod(world, "web"), "stale")
                            .putInitialResourceVersions(pod(world, "gone"), "any")
                            .putInitialResourceVersions(
                                service(world, "api"), versions.get(service(world, "api"))))
                    .names());
          }
          return lines;
        });
  }

  @Test
  @DisplayName("policies are sent again on a reconnect, and those that are gone are removed")
  void policiesAgain() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          world.allow("api", "web");
          String name = world.namespace() + "/api";
          List<String> lines = new ArrayList<>();
          try (Conversation talk = new Conversation(world)) {
            Heard heard = talk.open(request(AUTHORIZATION), all -> all.names(name));
            lines.add("versions " + heard.versions());
          }
          try (Conversation talk = new Conversation(world)) {
            lines.addAll(
                talk.open(
                        request(AUTHORIZATION)
                            .putInitialResourceVersions(name, "")
                            .putInitialResourceVersions(world.namespace() + "/gone", ""))
                    .names());
          }
          return lines;
        });
  }

  @Test
  @DisplayName("on-demand: nothing, by address, by VIP, unknown, and what is known already")
  void onDemand() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          try (Conversation talk = new Conversation(world)) {
            List<String> lines = new ArrayList<>();
            lines.addAll(
                talk.open(
                        request(ADDRESS)
                            .addResourceNamesSubscribe("*")
                            .addResourceNamesUnsubscribe("*"))
                    .contents());
            for (String name :
                List.of("/" + vip, "/" + net + 2, world.namespace() + "/unknown", "/" + net + 1)) {
              lines.add("asked for " + name);
              lines.addAll(talk.ask(request(ADDRESS).addResourceNamesSubscribe(name)).contents());
            }
            return lines;
          }
        });
  }

  @Test
  @DisplayName("CP-42 names that are asked for on a wildcard stream bring everything again, once")
  void namedOnWildcard() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          try (Conversation talk = new Conversation(world)) {
            talk.open(request(ADDRESS));
            List<String> lines = new ArrayList<>();
            String web = pod(world, "web");
            String unknown = world.namespace() + "/unknown";
            lines.addAll(talk.ask(request(ADDRESS).addResourceNamesSubscribe(web)).names());
            // Not answered: it is the same name. What comes is the answer to the next.
            talk.stream.send(request(ADDRESS).addResourceNamesSubscribe(web));
            lines.addAll(talk.ask(request(ADDRESS).addResourceNamesSubscribe(unknown)).names());
            talk.stream.send(request(ADDRESS).addResourceNamesUnsubscribe(pod(world, "api")));
            lines.addAll(talk.ask(request(ADDRESS).addResourceNamesUnsubscribe(web)).names());
            lines.addAll(talk.ask(request(ADDRESS).addResourceNamesSubscribe("*")).names());
            lines.addAll(talk.ask(request(AUTHORIZATION)).names());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("an on-demand stream that gives up one name loses all")
  void unsubscribe() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          try (Conversation talk = new Conversation(world)) {
            List<String> lines = new ArrayList<>();
            lines.addAll(
                talk.open(
                        request(ADDRESS)
                            .addResourceNamesSubscribe(pod(world, "web"))
                            .addResourceNamesSubscribe(service(world, "api")))
                    .names());
            lines.addAll(
                talk.ask(request(ADDRESS).addResourceNamesUnsubscribe(service(world, "api")))
                    .names());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("policies asked for by name: those that are known, and those that are not")
  void namedPolicies() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          world.allow("api", "web");
          String known = world.namespace() + "/api";
          String unknown = world.namespace() + "/unknown";
          try (Conversation talk = new Conversation(world)) {
            List<String> lines = new ArrayList<>();
            lines.addAll(talk.open(request(AUTHORIZATION), heard -> heard.names(known)).names());
            talk.stream.send(request(AUTHORIZATION).addResourceNamesSubscribe(known));
            for (int i = 0; i < 2; i++) {
              lines.addAll(
                  talk.ask(request(AUTHORIZATION).addResourceNamesSubscribe(unknown)).names());
            }
            lines.addAll(
                talk.ask(request(AUTHORIZATION).addResourceNamesUnsubscribe(known)).names());
            return lines;
          }
        });
  }

  @Test
  @DisplayName("a stale nonce, and a request that changes nothing, are not answered")
  void silence() throws Exception {
    assertAlike(
        world -> {
          shop(world);
          try (Conversation talk = new Conversation(world)) {
            List<String> lines = new ArrayList<>();
            talk.open(request(ADDRESS));
            talk.stream.send(
                request(ADDRESS)
                    .setResponseNonce("stale")
                    .addResourceNamesSubscribe(pod(world, "web")));
            talk.stream.send(request(ADDRESS));
            lines.addAll(talk.ask(request(AUTHORIZATION)).names());
            lines.addAll(
                talk.ask(request(ADDRESS).addResourceNamesSubscribe(pod(world, "web"))).names());
            return lines;
          }
        });
  }
}
