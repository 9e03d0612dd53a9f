// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The list {@code certificates} of a dump, sorted by identity. Private keys are never in it. */
final class CertificateDump {

  private CertificateDump() {}

  /**
   * What is held for one identity.
   *
   * @param id the identity
   * @param health how its source is doing
   * @param snapshot what the source holds, or null
   */
  record Held(SpiffeId id, SourceHealth health, @Nullable IdentitySnapshot snapshot) {}

  static ArrayNode of(Collection<Held> identities) {
    ArrayNode list = DumpJson.array();
    identities.stream()
        .sorted(Comparator.comparing(held -> held.id().toString()))
        .forEach(held -> list.add(of(held)));
    return list;
  }

  private static ObjectNode of(Held held) {
    ObjectNode json = DumpJson.object();
    json.put("identity", held.id().toString());
    json.put("state", state(held.health()));
    IdentitySnapshot snapshot = held.snapshot();
    Set<X509Certificate> anchors = snapshot == null ? Set.of() : anchors(snapshot);
    List<X509Certificate> chain = snapshot == null ? List.of() : snapshot.svid().chain();
    ArrayNode certChain = json.putArray("certChain");
    chain.stream()
        .filter(certificate -> !anchors.contains(certificate))
        .forEach(certificate -> certChain.add(of(certificate)));
    ArrayNode rootCerts = json.putArray("rootCerts");
    anchors.stream()
        .map(CertificateDump::of)
        .sorted(Comparator.comparing(root -> root.get("serialNumber").asText()))
        .forEach(rootCerts::add);
    return json;
  }

  private static Set<X509Certificate> anchors(IdentitySnapshot snapshot) {
    return snapshot.bundles().all().stream()
        .flatMap(bundle -> bundle.anchors().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** In the three states of the format: an operator's tool knows no others. */
  private static String state(SourceHealth health) {
    return switch (health.state()) {
      case READY, DEGRADED -> "Available";
      case STARTING ->
          health.lastError() == null ? "Initializing" : "Unavailable: " + health.lastError();
      case EXPIRED -> "Unavailable: the certificate expired at " + health.expiresAt() + why(health);
      case CLOSED -> "Unavailable: the identity source is closed";
    };
  }

  private static String why(SourceHealth health) {
    return health.lastError() == null ? "" : " (" + health.lastError() + ")";
  }

  private static ObjectNode of(X509Certificate certificate) {
    return DumpJson.object()
        .put("pem", pem(certificate))
        .put("serialNumber", certificate.getSerialNumber().toString())
        .put("validFrom", seconds(certificate.getNotBefore().toInstant()))
        .put("expirationTime", seconds(certificate.getNotAfter().toInstant()));
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String pem(X509Certificate certificate) {
    try {
      String body =
          Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
      String text = "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
      return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was parsed has no encoding", e);
    }
  }
}
