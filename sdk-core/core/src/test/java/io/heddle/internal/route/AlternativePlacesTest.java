// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.reference;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.state.IpFamilies;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where else a tunnel may lead when a workload has several addresses. */
class AlternativePlacesTest {

  private static List<String> alternatives(Decision decision) {
    return ((Decision.Hbone) decision)
        .alternatives().stream()
            .map(place -> place.address().getAddress().getHostAddress() + " " + place.authority())
            .toList();
  }

  @Test
  @DisplayName("a workload's other addresses are alternatives, those of the other family first")
  void alternativesOfAnEndpoint() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").build(),
            pod("web", "10.0.0.2", "10.0.0.3", "2001:db8::2")
                .services(serves("example.com"))
                .build());

    assertThat(alternatives(mesh.dial("example.com:80")))
        .containsExactly("2001:db8:0:0:0:0:0:2 [2001:db8::2]:8080", "10.0.0.3 10.0.0.3:8080");
  }

  @Test
  @DisplayName("families that a service does not admit are no alternatives")
  void alternativesOfAdmittedFamilies() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").ipFamilies(IpFamilies.IPV4_ONLY).build(),
            pod("web", "10.0.0.2", "2001:db8::2").services(serves("example.com")).build());

    assertThat(alternatives(mesh.dial("example.com:80"))).isEmpty();
  }

  @Test
  @DisplayName("who dials a pod's own address means that one")
  void noAlternativesOfAnAddress() {
    Mesh mesh = Mesh.of(pod("web", "10.0.0.2", "2001:db8::2").build());

    assertThat(alternatives(mesh.dial("10.0.0.2:80"))).isEmpty();
  }

  @Test
  @DisplayName("a waypoint's other addresses are asked for the same")
  void alternativesOfAWaypoint() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").waypoint(reference("shop/waypoint.test", 15008)).build(),
            Mesh.named("waypoint.test").ports(Mesh.ports(15008, 15008)).build(),
            pod("waypoint", "10.0.0.9", "2001:db8::9").services(serves("waypoint.test")).build());

    assertThat(alternatives(mesh.dial("10.96.0.1:80")))
        .containsExactly("2001:db8:0:0:0:0:0:9 10.96.0.1:80");
  }
}
