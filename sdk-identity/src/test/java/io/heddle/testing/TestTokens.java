// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** Service-account tokens as the kubelet writes them, with a signature that nobody verifies. */
public final class TestTokens {

  private TestTokens() {}

  /** A token for one audience. */
  public static String forAudience(String audience, Instant expiry) {
    return withClaims("{\"aud\":[\"" + audience + "\"],\"exp\":" + expiry.getEpochSecond() + "}");
  }

  /** A token with the given payload. */
  public static String withClaims(String json) {
    return part("{\"alg\":\"RS256\"}") + "." + part(json) + "." + part("no signature");
  }

  private static String part(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
