// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.heddle.Mesh;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What the extension does around other people's tests. */
class MeshTestExtensionTest {

  private static final List<InetSocketAddress> LISTENED = new CopyOnWriteArrayList<>();

  @BeforeEach
  void forget() {
    LISTENED.clear();
  }

  private static List<Throwable> run(Class<?> test) {
    SummaryGeneratingListener results = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(test)).build(),
            results);
    return results.getSummary().getFailures().stream()
        .map(TestExecutionSummary.Failure::getException)
        .toList();
  }

  private static Throwable failure(Class<?> test) {
    List<Throwable> failures = run(test);
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  @MeshTest(workloads = "shop/web", services = @Serves("shop/inventory"))
  static class FailsCase {
    @Test
    void fails(Mesh web, Mesh inventory) {
      LISTENED.addAll(web.hboneAddresses());
      LISTENED.addAll(inventory.hboneAddresses());
      web.connect("inventory.shop", 80).toCompletableFuture().join();
    }
  }

  @Test
  @DisplayName("a failure shows what the mesh decided, from both ends")
  void failureShowsDecisions() {
    Throwable failure = failure(FailsCase.class);

    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0])
        .hasMessageContaining("client end: shop/web -> shop/inventory")
        .hasMessageContaining("server end: ")
        .hasMessageContaining("inventory.shop.svc.cluster.local")
        .hasMessageContaining("mutual TLS, ended with CONNECT");
  }

  @Test
  @DisplayName("what a test was given is closed after it, even if it failed")
  void everythingIsClosed() {
    run(FailsCase.class);

    assertThat(LISTENED).hasSize(2);
    for (InetSocketAddress address : LISTENED) {
      assertThatCode(
              () -> {
                try (ServerSocket again = new ServerSocket()) {
                  again.bind(address);
                }
              })
          .doesNotThrowAnyException();
    }
  }

  @MeshTest(workloads = {"shop/web", "pay/web"})
  static class AmbiguousCase {
    @Test
    void ambiguous(Mesh web) {}
  }

  @Test
  @DisplayName("a parameter whose name two workloads have is refused, with what to do")
  void ambiguousName() {
    assertThat(failure(AmbiguousCase.class))
        .hasMessageContaining("[shop/web, pay/web]")
        .hasMessageContaining("@Member");
  }

  @MeshTest(workloads = "shop/web")
  static class UnknownCase {
    @Test
    void unknown(@Member("shop/other") Mesh other) {}
  }

  @Test
  @DisplayName("a workload that the mesh does not have is refused, with those that it has")
  void unknownWorkload() {
    assertThat(failure(UnknownCase.class))
        .hasMessageContaining("shop/other")
        .hasMessageContaining("[shop/web]");
  }

  @MeshTest(workloads = "shop/web")
  static class ConstructorCase {
    ConstructorCase(Mesh web) {
      throw new AssertionError("made with " + web);
    }

    @Test
    void never() {}
  }

  @Test
  @DisplayName("a mesh cannot be a parameter of a constructor")
  void constructor() {
    assertThat(failure(ConstructorCase.class)).hasMessageContaining("@BeforeEach");
  }

  @MeshTest(
      services = @Serves("shop/closed"),
      workloads = "shop/web",
      strict = "shop",
      policies =
          @Allow(
              to = "shop/closed",
              from = {}))
  static class NobodyCase {
    @Test
    void nobody(Mesh web, Mesh closed) {
      web.connect("closed.shop", 80).toCompletableFuture().join();
    }
  }

  @Test
  @DisplayName("a policy from nobody admits nobody, and STRICT stands beside it")
  void nobody() {
    assertThat(failure(NobodyCase.class))
        .hasCauseInstanceOf(io.heddle.MeshException.PolicyDenied.class);
  }
}
