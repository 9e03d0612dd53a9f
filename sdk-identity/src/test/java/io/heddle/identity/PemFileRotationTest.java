// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testing.CapturedLog;
import io.heddle.testing.CertificateDirectory;
import io.heddle.testing.Eventually;
import io.heddle.testing.KeyKind;
import io.heddle.testing.ManualTime;
import io.heddle.testing.PemTexts;
import io.heddle.testing.ProjectedVolume;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How files may change below a running source. */
final class PemFileRotationTest {

  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofMillis(50);

  private final TestPki pki = TestPki.create("mesh.test");
  private final X509Svid first = pki.svid(WEB);
  private final X509Svid second = pki.svid(WEB);
  private final List<SourceHealth.State> states = new CopyOnWriteArrayList<>();

  @TempDir Path temporary;
  private PemFileSource source;

  @AfterEach
  void close() {
    if (source != null) {
      source.close();
    }
  }

  @Test
  @DisplayName("ID-062 five publications of a volume are each adopted by watching alone")
  void fivePublications() throws Exception {
    ProjectedVolume volume = new ProjectedVolume(temporary.resolve("volume"));
    volume.publish(CertificateDirectory.contents(pki, first));
    source = in(temporary.resolve("volume")).pollInterval(NEVER).build();

    for (int i = 0; i < 5; i++) {
      X509Svid next = pki.svid(WEB);
      volume.publish(CertificateDirectory.contents(pki, next));
      Eventually.holds("publication " + i, () -> source.current().svid().equals(next));
    }
    assertThat(source.current().version()).isEqualTo(6);
  }

  @Test
  @DisplayName("ID-063 a storm of publications never shows a mixed pair, and its end is adopted")
  void publicationStorm() throws Exception {
    List<X509Svid> svids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      svids.add(pki.svid(WEB));
    }
    ProjectedVolume volume = new ProjectedVolume(temporary.resolve("volume"));
    volume.publish(CertificateDirectory.contents(pki, first));
    source = in(temporary.resolve("volume")).pollInterval(Duration.ofMillis(1)).build();
    List<X509Svid> published = new CopyOnWriteArrayList<>();
    source.onUpdate(snapshot -> published.add(snapshot.svid()));

    for (int i = 0; i < 400; i++) {
      volume.publish(CertificateDirectory.contents(pki, svids.get(i % svids.size())));
    }
    volume.publish(CertificateDirectory.contents(pki, second));

    Eventually.holds("the last publication", () -> source.current().svid().equals(second));
    for (X509Svid svid : published) {
      X509Svid original =
          svid.equals(second) ? second : svids.stream().filter(svid::equals).findFirst().get();
      assertThat(svid.privateKey()).isEqualTo(original.privateKey());
    }
    assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
  }

  @Test
  @DisplayName("ID-064 a change behind links into another directory is found by polling")
  void linkChain() throws Exception {
    Path elsewhere = temporary.resolve("elsewhere");
    ProjectedVolume volume = new ProjectedVolume(elsewhere);
    volume.publish(CertificateDirectory.contents(pki, first));
    Path here = Files.createDirectory(temporary.resolve("here"));
    for (String name : List.of("tls.key", "tls.crt", "ca.crt")) {
      Files.createSymbolicLink(here.resolve(name), elsewhere.resolve(name));
    }
    source = in(here).pollInterval(OFTEN).build();

    volume.publish(CertificateDirectory.contents(pki, second));

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
  }

  @Test
  @DisplayName("ID-065 truncate, pause of a second, write: no error in between, then adopted")
  void rewriteInPlace() throws Exception {
    CertificateDirectory directory = plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(OFTEN).build();

    Files.writeString(directory.chain(), "");
    Files.writeString(directory.key(), "");
    Eventually.staysTrue(
        "READY with the old pair",
        Duration.ofSeconds(1),
        () ->
            source.health().state() == SourceHealth.State.READY
                && source.current().svid().equals(first));
    Files.writeString(directory.chain(), PemTexts.chain(second));
    Files.writeString(directory.key(), PemTexts.pkcs8(second.privateKey()));

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
    assertThat(source.health().lastError()).isNull();
  }

  @Test
  @DisplayName("ID-066 a key written three seconds after its chain: the old pair until both match")
  void keyComesLater() throws Exception {
    CertificateDirectory directory = plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(OFTEN).build();

    CertificateDirectory.replace(directory.chain(), PemTexts.chain(second));
    Eventually.staysTrue(
        "the old pair", Duration.ofSeconds(3), () -> source.current().svid().equals(first));
    CertificateDirectory.replace(directory.key(), PemTexts.pkcs8(second.privateKey()));

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
    assertThat(source.current().version()).isEqualTo(2);
  }

  @Test
  @DisplayName("ID-067 a directory deleted and made again is watched again")
  void directoryComesBack() throws Exception {
    plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(NEVER).build();

    ProjectedVolume.delete(temporary.resolve("certs"));
    CertificateDirectory again = new CertificateDirectory(temporary.resolve("certs"), pki);
    again.write(second);
    Eventually.holds("the new files", () -> source.current().svid().equals(second));

    X509Svid third = pki.svid(WEB);
    again.write(third);
    Eventually.holds("a change in the new directory", () -> source.current().svid().equals(third));
  }

  @Test
  @DisplayName("a directory moved away and replaced by another is watched in its new place")
  void directoryReplaced() throws Exception {
    plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(OFTEN).build();

    new CertificateDirectory(temporary.resolve("next"), pki).write(second);
    Files.move(temporary.resolve("certs"), temporary.resolve("old"));
    Files.move(temporary.resolve("next"), temporary.resolve("certs"));

    Eventually.holds("the new files", () -> source.current().svid().equals(second));
  }

  @Test
  @DisplayName(
      "ID-068 files that vanish leave the last pair, DEGRADED, and alarms as its end nears")
  void filesVanish() throws Exception {
    CertificateDirectory directory = plainFiles();
    ManualTime time = new ManualTime(Instant.now());
    try (CapturedLog log = new CapturedLog()) {
      source =
          in(temporary.resolve("certs"))
              .pollInterval(OFTEN)
              .patience(Duration.ofMillis(200))
              .clock(time.clock())
              .build();
      Files.delete(directory.key());
      Files.delete(directory.chain());
      Eventually.holds("DEGRADED", () -> source.health().state() == SourceHealth.State.DEGRADED);
      assertThat(source.current().svid()).isEqualTo(first);
      assertThat(source.health().lastError()).contains("tls.");

      for (int minutes : new int[] {41, 14, 6}) {
        int before = log.warnings("nobody has replaced the files").size();
        time.jump(Duration.ofMinutes(minutes));
        Eventually.holds(
            "an alarm", () -> log.warnings("nobody has replaced the files").size() == before + 1);
      }

      assertThat(source.health().state()).isEqualTo(SourceHealth.State.EXPIRED);
      assertThat(source.current().svid()).isEqualTo(first);
      assertThat(log.warnings("the files cannot be used")).hasSize(1);
    }
    directory.write(pki.svid(WEB, Duration.ofHours(5)));
    Eventually.holds("READY", () -> source.health().state() == SourceHealth.State.READY);
  }

  @Test
  @DisplayName("a certificate that has expired does not replace one that has not")
  void expiredFiles() throws Exception {
    CertificateDirectory directory = plainFiles();
    source =
        in(temporary.resolve("certs")).pollInterval(OFTEN).patience(Duration.ofMillis(1)).build();

    directory.write(pki.svid(WEB, Duration.ofSeconds(-5)));

    Eventually.holds("DEGRADED", () -> source.health().state() == SourceHealth.State.DEGRADED);
    assertThat(source.current().svid()).isEqualTo(first);
  }

  @Test
  @DisplayName("B027 (a) only the certificate is rewritten, the key stays")
  void certificateAlone() throws Exception {
    KeyPair pair = KeyKind.P256.generate();
    X509Svid old = pki.root().leaf().uri(WEB).key(pair).issue().svid();
    X509Svid renewed = pki.root().leaf().uri(WEB).key(pair).issue().svid();
    CertificateDirectory directory = new CertificateDirectory(temporary.resolve("certs"), pki);
    directory.write(old);
    source = in(temporary.resolve("certs")).pollInterval(NEVER).build();

    CertificateDirectory.replace(directory.chain(), PemTexts.chain(renewed));

    Eventually.holds("the renewed one", () -> source.current().svid().equals(renewed));
  }

  @Test
  @DisplayName("B027 (b) the certificate is written, half a second later the key")
  void oneAfterTheOther() throws Exception {
    CertificateDirectory directory = plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(NEVER).build();
    source.onUpdate(snapshot -> states.add(source.health().state()));

    CertificateDirectory.replace(directory.chain(), PemTexts.chain(second));
    Eventually.staysTrue(
        "the old pair", Duration.ofMillis(500), () -> source.current().svid().equals(first));
    CertificateDirectory.replace(directory.key(), PemTexts.pkcs8(second.privateKey()));

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
    Eventually.holds("one update", () -> states.size() == 1);
    assertThat(states).containsExactly(SourceHealth.State.READY);
  }

  @Test
  @DisplayName("B027 (c) both are swapped through one link")
  void oneLink() throws Exception {
    new CertificateDirectory(temporary.resolve("v1"), pki).write(first);
    new CertificateDirectory(temporary.resolve("v2"), pki).write(second);
    Path live = Files.createSymbolicLink(temporary.resolve("live"), Path.of("v1"));
    source = in(live).pollInterval(OFTEN).build();

    Path fresh = Files.createSymbolicLink(temporary.resolve("live.new"), Path.of("v2"));
    Files.move(fresh, live, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
  }

  @Test
  @DisplayName("B027 (d) other content under the same file times is noticed by polling")
  void sameTimes() throws Exception {
    CertificateDirectory outside = new CertificateDirectory(temporary.resolve("outside"), pki);
    outside.write(first);
    Path here = Files.createDirectory(temporary.resolve("here"));
    List<Path> targets = List.of(outside.key(), outside.chain(), outside.roots());
    FileTime stamp = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    for (Path target : targets) {
      Files.setLastModifiedTime(target, stamp);
      Files.createSymbolicLink(here.resolve(target.getFileName()), target);
    }
    source = in(here).pollInterval(OFTEN).build();

    outside.write(second);
    for (Path target : targets) {
      Files.setLastModifiedTime(target, stamp);
    }

    Eventually.holds("the new pair", () -> source.current().svid().equals(second));
  }

  @Test
  @DisplayName("B027 (e) a file is empty for 200 ms")
  void emptyForAMoment() throws Exception {
    CertificateDirectory directory = plainFiles();
    source = in(temporary.resolve("certs")).pollInterval(OFTEN).build();
    AtomicBoolean failed = new AtomicBoolean();

    Files.writeString(directory.key(), "");
    Eventually.staysTrue(
        "READY", Duration.ofMillis(200), () -> source.health().state() == SourceHealth.State.READY);
    Files.writeString(directory.key(), PemTexts.pkcs8(second.privateKey()));
    Files.writeString(directory.chain(), PemTexts.chain(second));

    Eventually.holds(
        "the new pair",
        () -> {
          failed.compareAndSet(false, source.health().lastError() != null);
          return source.current().svid().equals(second);
        });
    assertThat(failed).isFalse();
  }

  private CertificateDirectory plainFiles() throws IOException {
    CertificateDirectory directory = new CertificateDirectory(temporary.resolve("certs"), pki);
    directory.write(first);
    return directory;
  }

  private static PemFileSource.Builder in(Path directory) {
    return PemFileSource.builder()
        .key(directory.resolve("tls.key"))
        .chain(directory.resolve("tls.crt"))
        .roots(directory.resolve("ca.crt"));
  }
}
