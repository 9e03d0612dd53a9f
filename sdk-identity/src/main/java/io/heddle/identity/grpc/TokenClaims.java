// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.heddle.identity.internal.text.Printable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a token says of itself. Nothing is verified: the issuer does that, and this only explains
 * why the issuer will refuse.
 *
 * @param audiences for whom the token is good
 * @param expiry when it ends; null if it does not say
 */
record TokenClaims(List<String> audiences, @Nullable Instant expiry) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** RFC 7519 section 2: the latest date that a reader has to understand is far below this. */
  private static final long LAST_SECOND = Instant.MAX.getEpochSecond();

  /** Empty for text that is no JWT: other authorities take opaque tokens. */
  static Optional<TokenClaims> of(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
      return claims == null || !claims.isObject()
          ? Optional.empty()
          : Optional.of(new TokenClaims(audiences(claims.path("aud")), expiry(claims.path("exp"))));
    } catch (IllegalArgumentException | JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot fail to be read", e);
    }
  }

  private static List<String> audiences(JsonNode aud) {
    List<String> audiences = new ArrayList<>();
    if (aud.isTextual()) {
      audiences.add(Printable.escape(aud.textValue()));
    }
    for (JsonNode one : aud) {
      if (one.isTextual()) {
        audiences.add(Printable.escape(one.textValue()));
      }
    }
    return List.copyOf(audiences);
  }

  private static @Nullable Instant expiry(JsonNode exp) {
    if (!exp.isNumber() || exp.doubleValue() < 0 || exp.doubleValue() > LAST_SECOND) {
      return null;
    }
    return Instant.ofEpochSecond(exp.longValue());
  }
}
