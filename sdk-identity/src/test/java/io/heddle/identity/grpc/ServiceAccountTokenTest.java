// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import static io.heddle.identity.grpc.IstioCaFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.IdentityException.NotIssued;
import io.heddle.identity.IdentityException.TokenUnusable;
import io.heddle.identity.SourceHealth;
import io.heddle.testing.TestIstioCa;
import io.heddle.testing.TestTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent of the token, and what is said about one that cannot be sent or is refused. */
final class ServiceAccountTokenTest {

  private final IstioCaFixture fixture = new IstioCaFixture();
  private final TestIstioCa ca = fixture.ca;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("istio-token");
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  @DisplayName("B008 a replaced token file is read for the next request")
  void readForEachRequest() throws IOException {
    Files.writeString(file, token("istio-ca", 3600));
    try (IstioCaSource source = started()) {
      String second = token("istio-ca", 48 * 3600);
      Files.writeString(file, second);
      ca.tokens(second::equals);

      fixture.time.elapse(Duration.ofHours(14));

      assertThat(source.current().version()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("B008 a token replaced while it is being judged is followed by one more try at once")
  void replacedMeanwhile() throws IOException {
    String second = token("istio-ca", 48 * 3600);
    Files.writeString(file, token("istio-ca", 3600));
    ca.tokens(
        sent -> {
          write(second);
          return sent.equals(second);
        });

    try (IstioCaSource source = started()) {
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      assertThat(ca.asked()).hasSize(2);
    }
  }

  @Test
  @DisplayName("B008 a refused token that is still the same is not sent twice in a row")
  void sameTokenOnce() throws IOException {
    Files.writeString(file, token("istio-ca", 3600));
    ca.tokens(sent -> false);

    try (IstioCaSource source = started()) {
      assertThat(ca.asked()).hasSize(1);
      assertThat(notIssued(source)).isEqualTo(NotIssued.Problem.UNAUTHENTICATED);
    }
  }

  @Test
  @DisplayName("B009 a refusal names the file, its audience, the expected one and the end")
  void wrongAudience() throws IOException {
    String audience = "https://kubernetes.default.svc.cluster.local";
    Files.writeString(file, token(audience, 3600));
    ca.tokens(sent -> false);

    try (IstioCaSource source = started()) {
      assertThat(source.health().lastError())
          .contains(
              "request authenticate failure",
              file.toString(),
              audience,
              "istio-ca is expected",
              "serviceAccountToken")
          .contains(fixture.time.now().plusSeconds(3600).toString().substring(0, 19));
    }
  }

  @Test
  @DisplayName("B009 a token of another audience is sent all the same: the authority decides")
  void otherAudienceIsSent() throws IOException {
    Files.writeString(file, token("somebody-else", 3600));

    try (IstioCaSource source = started()) {
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
    }
  }

  @Test
  @DisplayName("B009 a missing file is named with advice, and nothing is sent")
  void missing() {
    try (IstioCaSource source = started()) {
      assertThat(unusable(source)).isEqualTo(TokenUnusable.Fault.MISSING);
      assertThat(source.health().lastError())
          .contains(file.toString(), "does not exist", "audience is istio-ca");
      assertThat(ca.asked()).isEmpty();
    }
  }

  @ParameterizedTest(name = "B009 [{index}]")
  @ValueSource(strings = {"", "\n", " \r\n"})
  @DisplayName("B009 an empty file is named, and nothing is sent")
  void empty(String text) throws IOException {
    Files.writeString(file, text);

    try (IstioCaSource source = started()) {
      assertThat(unusable(source)).isEqualTo(TokenUnusable.Fault.EMPTY);
      assertThat(source.health().lastError()).contains(file.toString(), "is empty");
      assertThat(ca.asked()).isEmpty();
    }
  }

  @Test
  @DisplayName("B009 an expired token is named with its end, and nothing is sent")
  void expired() throws IOException {
    Files.writeString(file, token("istio-ca", -120));

    try (IstioCaSource source = started()) {
      assertThat(unusable(source)).isEqualTo(TokenUnusable.Fault.EXPIRED);
      assertThat(source.health().lastError())
          .contains(
              file.toString(),
              "expired at",
              fixture.time.now().minusSeconds(120).toString().substring(0, 19));
      assertThat(ca.asked()).isEmpty();
    }
  }

  @Test
  @DisplayName("B009 a token that is no JWT is sent, and that is said when it is refused")
  void notAJwt() throws IOException {
    Files.writeString(file, "hello");
    ca.tokens(sent -> false);

    try (IstioCaSource source = started()) {
      assertThat(ca.asked()).extracting(TestIstioCa.Asked::token).containsExactly("hello");
      assertThat(source.health().lastError()).contains("is not a JWT");
    }
  }

  @Test
  @DisplayName("ID-051 the newline at the end of a token file is not sent")
  void trailingNewline() throws IOException {
    String token = token("istio-ca", 3600);
    Files.writeString(file, token + "\n");

    try (IstioCaSource source = started()) {
      assertThat(ca.asked()).extracting(TestIstioCa.Asked::token).containsExactly(token);
    }
  }

  @Test
  @DisplayName("a file that is no token is refused here and its contents are not shown")
  void binary() throws IOException {
    Files.writeString(file, "secret\u0000secret");

    try (IstioCaSource source = started()) {
      assertThat(unusable(source)).isEqualTo(TokenUnusable.Fault.MALFORMED);
      assertThat(source.health().lastError()).doesNotContain("secret\u0000");
      assertThat(ca.asked()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"aud\":\"istio-ca\",\"exp\":99999999999};is for the expected audience",
        "{\"aud\":[\"a\",\"istio-ca\"]};ends never",
        "{\"aud\":[]};is for the audience []",
        "{\"aud\":7,\"exp\":\"soon\"};is for the audience []",
        "{\"exp\":1e300};is for the audience []",
        "[1];is not a JWT",
        "{;is not a JWT"
      })
  @DisplayName("claims of any shape are described, never an error")
  void claims(String json, String expected) {
    ServiceAccountToken token = ServiceAccountToken.literal(TestTokens.withClaims(json));

    assertThat(token.describe(fixture.time.now())).contains(expected);
  }

  @Test
  @DisplayName("a text with a slash is a path, one without is a token")
  void pathOrLiteral() {
    assertThat(List.of("./var/run/secrets/tokens/istio-token", "/t"))
        .allSatisfy(
            text -> assertThat(ServiceAccountToken.of(text).toString()).contains("the token file"));
    assertThat(ServiceAccountToken.of("a.b.c").toString())
        .contains("given as text")
        .doesNotContain("a.b.c");
  }

  private String token(String audience, int seconds) {
    return TestTokens.forAudience(audience, fixture.time.now().plusSeconds(seconds));
  }

  private void write(String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private IstioCaSource started() {
    ControlPlane authority = fixture.controlPlane().token(ServiceAccountToken.file(file)).build();
    IstioCaSource source = fixture.source(authority, WEB).build();
    fixture.settle();
    return source;
  }

  private static TokenUnusable.Fault unusable(IstioCaSource source) {
    return ((TokenUnusable) failure(source)).fault();
  }

  private static NotIssued.Problem notIssued(IstioCaSource source) {
    return ((NotIssued) failure(source)).problem();
  }

  private static Throwable failure(IstioCaSource source) {
    return assertThatThrownBy(source::current).cause().actual();
  }
}
