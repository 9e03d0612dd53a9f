// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.SpiffeId;
import io.heddle.testing.X509Vector;
import io.heddle.testing.X509Vectors;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerValidatorVectorsTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00.7Z"), ZoneOffset.UTC);

  static List<X509Vector> vectors() {
    return X509Vectors.all(CLOCK);
  }

  @ParameterizedTest(name = "ID-006 {0}")
  @MethodSource("vectors")
  void verdict(X509Vector vector) throws Exception {
    PeerValidator validator = new PeerValidator(CLOCK);
    Certificate[] chain = vector.chain().toArray(new Certificate[0]);

    if (vector.rejection().isEmpty()) {
      SpiffeId id = validator.validate(chain, vector.bundles(), vector.role()).id();

      assertThat(vector.bundles().find(id.trustDomain())).isPresent();
      return;
    }

    PeerRejectedException rejected =
        catchThrowableOfType(
            PeerRejectedException.class,
            () -> validator.validate(chain, vector.bundles(), vector.role()));

    assertThat(rejected).as("accepted").isNotNull();
    assertThat(rejected.reason()).as(rejected.getMessage()).isEqualTo(vector.rejection().get());
  }
}
