// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the arrows between the rooms: a room imports only rooms below it. */
class ArchitectureTest {

  private static final JavaClasses HEDDLE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.heddle");

  /** Changes levels of the JDK's log, and writes none. */
  private static final String JDK_LEVELS = "io.heddle.internal.admin.JdkLogBackend";

  private static final String[] IDENTITY = {"io.heddle.identity.."};
  private static final String[] HBONE = {"io.heddle.hbone.."};

  @Test
  @DisplayName("modules are floors: identity, hbone, core, test kit, each knows only those below")
  void modulesAreFloors() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.heddle..")
        .layer("identity")
        .definedBy(IDENTITY)
        .layer("hbone")
        .definedBy(HBONE)
        .layer("core")
        .definedBy(
            "io.heddle",
            "io.heddle.spi..",
            "io.heddle.netty..",
            "io.heddle.opentelemetry..",
            "io.heddle.internal..")
        .layer("test kit")
        .definedBy("io.heddle.dev..")
        .whereLayer("test kit")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers("test kit")
        .whereLayer("hbone")
        .mayOnlyBeAccessedByLayers("core", "test kit")
        .check(HEDDLE);
  }

  @Test
  @DisplayName("rooms of the test kit: messages, faults, tokens, the two services, the server")
  void roomsOfTheTestKit() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.heddle.dev..")
        .layer("catalog")
        .definedBy("io.heddle.dev.internal.catalog..")
        .layer("fault")
        .definedBy("io.heddle.dev.internal.fault..")
        .layer("token")
        .definedBy("io.heddle.dev.internal.token..")
        .layer("discovery")
        .definedBy("io.heddle.dev.internal.discovery..")
        .layer("ca")
        .definedBy("io.heddle.dev.internal.ca..")
        .layer("server")
        .definedBy("io.heddle.dev.internal.server..")
        .layer("facade")
        .definedBy("io.heddle.dev")
        .whereLayer("facade")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("server")
        .mayOnlyBeAccessedByLayers("facade")
        .whereLayer("ca")
        .mayOnlyBeAccessedByLayers("server")
        .whereLayer("discovery")
        .mayOnlyBeAccessedByLayers("server", "facade")
        .whereLayer("token")
        .mayOnlyBeAccessedByLayers("discovery", "ca", "server", "facade")
        .whereLayer("fault")
        .mayOnlyBeAccessedByLayers("discovery", "ca", "server", "facade")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers("discovery", "ca", "server")
        .check(HEDDLE);
  }

  @Test
  @DisplayName("rooms of core: net, policy, state, then local and route, then in- and outbound")
  void roomsOfCore() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(
            "io.heddle.internal..", "io.heddle", "io.heddle.spi..")
        .layer("net")
        .definedBy("io.heddle.internal.net..")
        .layer("policy")
        .definedBy("io.heddle.internal.policy..")
        .layer("state")
        .definedBy("io.heddle.internal.state..")
        .layer("wds")
        .definedBy("io.heddle.internal.wds..")
        .layer("proto")
        .definedBy("io.heddle.internal.proto..")
        .layer("xds")
        .definedBy("io.heddle.internal.xds..")
        .layer("local")
        .definedBy("io.heddle.internal.local..")
        .layer("route")
        .definedBy("io.heddle.internal.route..")
        .layer("relay")
        .definedBy("io.heddle.internal.relay..")
        .layer("blocking")
        .definedBy("io.heddle.internal.blocking..")
        .layer("telemetry")
        .definedBy("io.heddle.internal.telemetry..")
        .layer("inbound")
        .definedBy("io.heddle.internal.inbound..")
        .layer("outbound")
        .definedBy("io.heddle.internal.outbound..")
        .layer("admin")
        .definedBy("io.heddle.internal.admin..")
        .layer("dns")
        .definedBy("io.heddle.internal.dns..")
        .layer("runtime")
        .definedBy("io.heddle.internal.runtime..")
        .layer("spi")
        .definedBy("io.heddle.spi..")
        .layer("facade")
        .definedBy("io.heddle", "io.heddle.netty..", "io.heddle.opentelemetry..")
        .whereLayer("facade")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("runtime")
        .mayOnlyBeAccessedByLayers("facade")
        .whereLayer("dns")
        .mayOnlyBeAccessedByLayers("runtime", "facade")
        .whereLayer("admin")
        .mayOnlyBeAccessedByLayers("runtime", "facade")
        .whereLayer("inbound")
        .mayOnlyBeAccessedByLayers("runtime", "facade")
        .whereLayer("outbound")
        .mayOnlyBeAccessedByLayers("runtime", "facade")
        .whereLayer("telemetry")
        .mayOnlyBeAccessedByLayers("inbound", "outbound", "runtime")
        .whereLayer("blocking")
        .mayOnlyBeAccessedByLayers("facade")
        .whereLayer("relay")
        .mayOnlyBeAccessedByLayers("blocking", "inbound", "facade")
        .whereLayer("xds")
        .mayOnlyBeAccessedByLayers("runtime")
        .whereLayer("proto")
        .mayOnlyBeAccessedByLayers("wds", "xds")
        .whereLayer("local")
        .mayOnlyBeAccessedByLayers("runtime")
        .whereLayer("wds")
        .mayOnlyBeAccessedByLayers("xds", "runtime")
        .whereLayer("route")
        .mayOnlyBeAccessedByLayers("inbound", "outbound", "dns", "runtime", "facade")
        .whereLayer("state")
        .mayOnlyBeAccessedByLayers(
            "wds",
            "xds",
            "local",
            "route",
            "telemetry",
            "inbound",
            "outbound",
            "admin",
            "dns",
            "runtime")
        .whereLayer("policy")
        .mayOnlyBeAccessedByLayers("state", "xds", "local", "inbound", "admin", "runtime", "facade")
        .check(HEDDLE);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("no room is part of a cycle with another")
  @ValueSource(
      strings = {
        "io.heddle.internal.(*)..",
        "io.heddle.identity.internal.(*)..",
        "io.heddle.hbone.internal.(*)..",
        "io.heddle.dev.internal.(*).."
      })
  void roomsHaveNoCycles(String rooms) {
    slices().matching(rooms).should().beFreeOfCycles().check(HEDDLE);
  }

  @Test
  @DisplayName("the public API shows no type of a library, except where a package is named for it")
  void publicApiShowsNoLibrary() {
    List<String> shown = new ArrayList<>();
    for (JavaClass type : HEDDLE) {
      if (isExported(type)) {
        for (JavaCodeUnit member : type.getCodeUnits()) {
          if (isVisible(member)) {
            librariesIn(member)
                .forEach(library -> shown.add(member.getFullName() + ": " + library));
          }
        }
      }
    }
    assertThat(shown).isEmpty();
  }

  @Test
  @DisplayName("no package is split between two jars")
  void noSplitPackages() {
    Map<String, Set<String>> jars = new TreeMap<>();
    for (JavaClass type : HEDDLE) {
      String path = type.getSource().orElseThrow().getUri().toString();
      String name = type.getName().replace('.', '/');
      jars.computeIfAbsent(type.getPackageName(), key -> new TreeSet<>())
          .add(path.substring(0, path.indexOf(name)));
    }
    assertThat(jars).isNotEmpty().allSatisfy((name, homes) -> assertThat(homes).hasSize(1));
  }

  @Test
  @DisplayName("time is injected: no sleeping, no wall clock read in passing")
  void timeIsInjected() {
    noClasses()
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .check(HEDDLE);
  }

  @Test
  @DisplayName("names are nouns of the field")
  void namesAreNouns() {
    noClasses()
        .should()
        .haveSimpleNameEndingWith("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .orShould()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Impl")
        .check(HEDDLE);
  }

  @Test
  @DisplayName("libraries log through SLF4J and print nothing")
  void nothingIsPrinted() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(JDK_LEVELS)
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.logging..")
        .check(HEDDLE);
  }

  @Test
  @DisplayName("BouncyCastle stays inside identity and the test kit's authority")
  void bouncyCastleStaysInside() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.heddle.identity..", "io.heddle.dev.internal.ca..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bouncycastle..")
        .check(HEDDLE);
  }

  private static boolean isExported(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.getPackageName().contains(".internal")
        && !type.getPackageName().endsWith(".netty")
        && !type.getPackageName().endsWith(".grpc")
        && !type.getPackageName().endsWith(".opentelemetry");
  }

  private static boolean isVisible(JavaCodeUnit member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static Stream<String> librariesIn(JavaCodeUnit member) {
    return Stream.concat(
            member.getRawParameterTypes().stream(), Stream.of(member.getRawReturnType()))
        .map(JavaClass::getName)
        .filter(
            name ->
                name.startsWith("io.netty.")
                    || name.startsWith("org.bouncycastle.")
                    || name.startsWith("io.opentelemetry.")
                    || name.startsWith("com.google.protobuf.")
                    || name.startsWith("io.grpc."));
  }
}
