// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.provider.ValueSource;

/** An id is refused with a reason, or comes back as it was, byte for byte. */
class SpiffeIdFuzzTest {

  @ValueSource(
      strings = {
        "spiffe://cluster.local/ns/shop/sa/web",
        "spiffe://cluster.local",
        "SPIFFE://Cluster.Local/ns/Shop/sa/web",
        "spiffe://td/a/../b",
        "spiffe://td//",
        "spiffe://td/\u212A",
        "spiffe://\u0130.td/x",
        "spiffe://td/%2e/x",
        "spiffe:///",
        "//"
      })
  @FuzzTest
  void parse(@NotNull String text) {
    SpiffeId strict = tryParse(text, false);
    if (strict != null) {
      assertThat(strict.toString()).isEqualTo(text);
      assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(2048);
      assertThat(strict.trustDomain().id().path()).isEmpty();
      assertThat(strict.isTrustDomainId()).isEqualTo(strict.path().isEmpty());
      assertThat(strict.namespace().isPresent()).isEqualTo(strict.serviceAccount().isPresent());
      rebuild(strict);
    }
    SpiffeId lenient = tryParse(text, true);
    if (lenient != null) {
      assertThat(SpiffeId.parse(lenient.toString())).isEqualTo(lenient);
    }
    if (strict != null) {
      assertThat(lenient).isEqualTo(strict);
    }
  }

  private static void rebuild(SpiffeId id) {
    String[] segments = id.isTrustDomainId() ? new String[0] : id.path().substring(1).split("/");
    SpiffeId rebuilt = SpiffeId.of(id.trustDomain(), segments);
    assertThat(rebuilt).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(rebuilt.compareTo(id)).isZero();
  }

  private static SpiffeId tryParse(String text, boolean lenient) {
    try {
      return lenient ? SpiffeId.parseLenient(text) : SpiffeId.parse(text);
    } catch (InvalidSpiffeIdException e) {
      assertThat(e.reason()).isNotNull();
      return null;
    }
  }
}
