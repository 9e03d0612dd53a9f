// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.token;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * Issues tokens in the shape of projected service-account tokens and checks them as istiod has them
 * checked (control-plane reference 1.3). The key lives and dies with this object.
 */
public final class TokenIssuer {

  /** What a token for istiod is meant for, unless said otherwise. */
  public static final String ISTIO_CA = "istio-ca";

  private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
  private static final String SUBJECT_PREFIX = "system:serviceaccount:";
  private static final String KUBERNETES = "kubernetes.io";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KeyPair key;
  private final Clock clock;

  /**
   * An issuer with a key of its own.
   *
   * @param clock dates the tokens and judges them
   */
  public TokenIssuer(Clock clock) {
    this.clock = clock;
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      this.key = generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has ECDSA P-256", impossible);
    }
  }

  /** A token for the caller, bound to its pod if it names one. */
  public String issue(Caller caller, String audience, Duration lifetime) {
    Instant now = clock.instant();
    ObjectNode claims = JSON.createObjectNode();
    claims.putArray("aud").add(audience);
    claims.put("exp", now.plus(lifetime).getEpochSecond());
    claims.put("iat", now.getEpochSecond());
    claims.put("iss", ISSUER);
    ObjectNode kubernetes = claims.putObject(KUBERNETES);
    kubernetes.put("namespace", caller.namespace());
    if (!caller.pod().isEmpty()) {
      kubernetes.putObject("pod").put("name", caller.pod()).put("uid", caller.podUid());
    }
    kubernetes.putObject("serviceaccount").put("name", caller.serviceAccount());
    claims.put("nbf", now.getEpochSecond());
    claims.put("sub", caller.toString());
    String signed =
        base64(JSON.createObjectNode().put("alg", "ES256").put("typ", "JWT").toString())
            + "."
            + base64(claims.toString());
    return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(sign(signed));
  }

  /**
   * Whom the token proves.
   *
   * @throws TokenRejectedException if it is not of this issuer, is not meant for istiod, or is not
   *     valid now
   */
  public Caller verify(String token) throws TokenRejectedException {
    int end = token.lastIndexOf('.');
    int start = token.indexOf('.');
    if (start < 0 || start == end || !isSigned(token.substring(0, end), token.substring(end + 1))) {
      throw new TokenRejectedException("the token is not one that this control plane issued");
    }
    JsonNode claims = claims(token.substring(start + 1, end));
    Instant expiry = Instant.ofEpochSecond(claims.path("exp").asLong());
    if (!clock.instant().isBefore(expiry)) {
      throw new TokenRejectedException("the token expired at " + expiry);
    }
    String audience = claims.path("aud").path(0).asText();
    if (!audience.equals(ISTIO_CA)) {
      throw new TokenRejectedException(
          "the token's audience is " + audience + " (expected: " + ISTIO_CA + ")");
    }
    return caller(claims);
  }

  private static Caller caller(JsonNode claims) throws TokenRejectedException {
    String subject = claims.path("sub").asText();
    String[] parts = subject.split(":", -1);
    if (!subject.startsWith(SUBJECT_PREFIX) || parts.length != 4) {
      throw new TokenRejectedException("the token's subject " + subject + " is no service account");
    }
    JsonNode pod = claims.path(KUBERNETES).path("pod");
    return new Caller(parts[2], parts[3], pod.path("name").asText(), pod.path("uid").asText());
  }

  private static JsonNode claims(String payload) throws TokenRejectedException {
    try {
      return JSON.readTree(
          new String(Base64.getUrlDecoder().decode(payload), StandardCharsets.UTF_8));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new TokenRejectedException("the token's claims are not readable");
    }
  }

  private byte[] sign(String text) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key.getPrivate());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return signature.sign();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK signs with ECDSA", impossible);
    }
  }

  private boolean isSigned(String text, String signature) {
    try {
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key.getPublic());
      verifier.update(text.getBytes(StandardCharsets.US_ASCII));
      return verifier.verify(Base64.getUrlDecoder().decode(signature));
    } catch (GeneralSecurityException | IllegalArgumentException notASignature) {
      return false;
    }
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
