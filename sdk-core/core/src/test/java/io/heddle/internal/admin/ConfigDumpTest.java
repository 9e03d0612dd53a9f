// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SourceHealth.State;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.WorkloadIndex;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The shape of HBONE reference 7.6, which operators' tools read. */
class ConfigDumpTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("mesh.test");

  @Test
  @DisplayName("APP-08 every field of workloads, services and policies has its name and spelling")
  void shape() throws Exception {
    MeshSnapshot mesh = snapshot(resource("mesh.yaml"));

    JsonNode expected = MAPPER.readTree(resource("expected.json"));

    assertThat(read(WorkloadDump.of(mesh.workloads()))).isEqualTo(expected.get("workloads"));
    assertThat(read(ServiceDump.of(mesh))).isEqualTo(expected.get("services"));
    assertThat(read(PolicyDump.of(mesh.policies().policies()))).isEqualTo(expected.get("policies"));
  }

  @Test
  @DisplayName("APP-08 certificates are sorted by identity, each in one of three states")
  void states() {
    Instant expiry = Instant.parse("2026-01-01T00:00:00Z");
    JsonNode dumped =
        CertificateDump.of(
            List.of(
                held("e", new SourceHealth(State.CLOSED, null, null)),
                held("d", new SourceHealth(State.EXPIRED, expiry, "CA down")),
                held("c", new SourceHealth(State.STARTING, null, "token expired")),
                held("b", new SourceHealth(State.STARTING, null, null)),
                held("a", new SourceHealth(State.DEGRADED, expiry, "CA down"))));

    assertThat(dumped.findValuesAsText("identity"))
        .containsExactly(id("a"), id("b"), id("c"), id("d"), id("e"));
    assertThat(dumped.findValuesAsText("state"))
        .containsExactly(
            "Available",
            "Initializing",
            "Unavailable: token expired",
            "Unavailable: the certificate expired at 2026-01-01T00:00:00Z (CA down)",
            "Unavailable: the identity source is closed");
  }

  @Test
  @DisplayName("APP-08 a certificate is PEM in base64, with decimal serial and whole seconds")
  void certificate() throws Exception {
    SpiffeId id = SpiffeId.parse(id("a"));
    try (DevelopmentSource source =
        DevelopmentSource.builder(DevelopmentCa.inMemory(TRUST_DOMAIN), id).build()) {
      IdentitySnapshot snapshot = source.awaitReady(Duration.ofSeconds(10));
      X509Certificate leaf = snapshot.svid().leaf();

      JsonNode dumped =
          CertificateDump.of(List.of(new CertificateDump.Held(id, source.health(), snapshot)));

      JsonNode entry = dumped.at("/0/certChain/0");
      assertThat(parsed(entry.get("pem").asText())).isEqualTo(leaf);
      assertThat(entry.get("serialNumber").asText()).isEqualTo(leaf.getSerialNumber().toString(10));
      assertThat(entry.get("expirationTime").asText())
          .isEqualTo(leaf.getNotAfter().toInstant().toString())
          .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
      assertThat(entry.get("validFrom").asText())
          .isEqualTo(leaf.getNotBefore().toInstant().toString());
      assertThat(parsed(dumped.at("/0/rootCerts/0/pem").asText()))
          .isIn(snapshot.bundles().find(TRUST_DOMAIN).orElseThrow().anchors());
    }
  }

  private static JsonNode read(JsonNode written) throws Exception {
    return MAPPER.readTree(written.toString());
  }

  private static X509Certificate parsed(String base64) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
  }

  private static CertificateDump.Held held(String account, SourceHealth health) {
    return new CertificateDump.Held(SpiffeId.parse(id(account)), health, null);
  }

  private static String id(String account) {
    return "spiffe://mesh.test/ns/shop/sa/" + account;
  }

  private static MeshSnapshot snapshot(String yaml) {
    return new WorkloadIndex("", UnknownPolicies.REFUSE)
        .apply(LocalConfig.parse(yaml, "mesh.yaml", TRUST_DOMAIN).replacement());
  }

  private static String resource(String name) throws Exception {
    try (InputStream stream =
        Objects.requireNonNull(ConfigDumpTest.class.getResourceAsStream("/admin/" + name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
