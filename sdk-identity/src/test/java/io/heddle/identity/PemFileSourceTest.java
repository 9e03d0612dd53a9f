// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.CapturedLog;
import io.heddle.testing.CertificateDirectory;
import io.heddle.testing.Eventually;
import io.heddle.testing.PemTexts;
import io.heddle.testing.ProjectedVolume;
import io.heddle.testing.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PemFileSourceTest {

  private static final String WEB = "spiffe://mesh.test/ns/shop/sa/web";

  private final TestPki pki = TestPki.create("mesh.test");
  private final X509Svid first = pki.svid(WEB);

  @TempDir Path temporary;
  private CertificateDirectory directory;

  @BeforeEach
  void writeFiles() throws IOException {
    directory = new CertificateDirectory(temporary.resolve("certs"), pki);
    directory.write(first);
  }

  @Test
  @DisplayName(
      "good files are in use when the source is built, with all anchors for our own domain")
  void readyAtOnce() throws Exception {
    TestPki other = TestPki.create("mesh.test");
    CertificateDirectory.replace(
        directory.roots(),
        PemTexts.certificate(pki.root().certificate())
            + PemTexts.certificate(other.root().certificate()));

    try (PemFileSource source = files().build()) {
      IdentitySnapshot snapshot = source.current();

      assertThat(snapshot.svid()).isEqualTo(first);
      assertThat(snapshot.bundles().find(pki.trustDomain()).orElseThrow().anchors())
          .containsExactly(pki.root().certificate(), other.root().certificate());
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      assertThat(source.skippedRoots()).isZero();
    }
  }

  @Test
  @DisplayName("intermediates in the chain file are presented")
  void intermediates() throws Exception {
    X509Svid svid = pki.root().intermediate("I", 0).leaf(WEB).svid();
    directory.write(svid);

    try (PemFileSource source = files().build()) {
      assertThat(source.current().svid().chain()).hasSize(2).isEqualTo(svid.chain());
    }
  }

  @Test
  @DisplayName("waits for files that are not there yet, and says what is missing")
  void filesComeLater() throws Exception {
    Files.delete(directory.chain());
    try (PemFileSource source = files().build()) {
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.STARTING);
      assertThatThrownBy(() -> source.awaitReady(Duration.ofMillis(50)))
          .isInstanceOf(IdentityException.Unavailable.class)
          .hasMessageContaining("tls.crt");

      directory.write(first);

      assertThat(source.awaitReady(Duration.ofSeconds(30)).svid()).isEqualTo(first);
    }
  }

  @Test
  @DisplayName("ID-070 a credential bundle is opened once for each reading")
  void credentialBundle() throws Exception {
    Path bundle = temporary.resolve("credentials.pem");
    CertificateDirectory.replace(
        bundle, PemTexts.pkcs8(first.privateKey()) + PemTexts.chain(first));
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger readings = new AtomicInteger();

    try (PemFileSource source =
        PemFileSource.builder()
            .credentialBundle(bundle)
            .roots(directory.roots())
            .pollInterval(Duration.ofHours(1))
            .opener(
                file -> {
                  (file.endsWith("credentials.pem") ? opened : readings).incrementAndGet();
                  return Files.newByteChannel(file);
                })
            .build()) {
      assertThat(source.current().svid()).isEqualTo(first);
      assertThat(opened).hasValue(1);
      assertThat(readings).hasValue(1);

      X509Svid second = pki.svid(WEB);
      CertificateDirectory.replace(
          bundle, PemTexts.pkcs8(second.privateKey()) + PemTexts.chain(second));
      Eventually.holds("the bundle is adopted", () -> source.current().svid().equals(second));
      assertThat(opened).hasValueGreaterThanOrEqualTo(2);
      // The roots are opened once for each reading, too.
      Eventually.holds("bundle as often as roots", () -> opened.get() == readings.get());
    }
  }

  @Test
  @DisplayName(
      "ID-071 a key that others can read is refused in strict mode, else warned about once")
  void keyModes() throws Exception {
    Files.setPosixFilePermissions(directory.key(), PosixFilePermissions.fromString("rw-r--r--"));

    try (PemFileSource strict = files().strictPermissions().build()) {
      assertThatThrownBy(() -> strict.awaitReady(Duration.ofMillis(50)))
          .isInstanceOf(IdentityException.Unavailable.class)
          .hasCauseInstanceOf(IdentityException.Refused.class)
          .hasMessageContaining("rw-r--r--")
          .hasMessageContaining("0600");
    }
    try (CapturedLog log = new CapturedLog();
        PemFileSource lax = files().pollInterval(Duration.ofMillis(20)).build()) {
      assertThat(lax.current().svid()).isEqualTo(first);
      X509Svid second = pki.svid(WEB);
      Files.writeString(directory.key(), PemTexts.pkcs8(second.privateKey()));
      Files.writeString(directory.chain(), PemTexts.chain(second));
      Eventually.holds("the pair is adopted", () -> lax.current().svid().equals(second));

      assertThat(log.warnings("is readable by other users")).hasSize(1);
    }
  }

  @Test
  @DisplayName("ID-071 what counts is the mode of the file, not that of the link to it")
  void linkModes() throws Exception {
    Path link = temporary.resolve("key-link.pem");
    Files.createSymbolicLink(link, directory.key());

    try (PemFileSource strict = files().key(link).strictPermissions().build()) {
      assertThat(strict.current().svid()).isEqualTo(first);
    }

    Files.setPosixFilePermissions(directory.key(), PosixFilePermissions.fromString("rw-r-----"));
    try (PemFileSource strict = files().key(link).strictPermissions().build()) {
      assertThat(strict.health().state()).isEqualTo(SourceHealth.State.STARTING);
      assertThat(strict.health().lastError()).contains("tls.key").contains("rw-r-----");
    }
  }

  @Test
  @DisplayName("a key that others can read is warned about once, however often its volume rotates")
  void warnedOnce() throws Exception {
    ProjectedVolume volume = new ProjectedVolume(temporary.resolve("volume"), "rw-r--r--");
    volume.publish(CertificateDirectory.contents(pki, first));

    try (CapturedLog log = new CapturedLog();
        PemFileSource source =
            files()
                .key(temporary.resolve("volume").resolve("tls.key"))
                .chain(temporary.resolve("volume").resolve("tls.crt"))
                .build()) {
      X509Svid second = pki.svid(WEB);
      volume.publish(CertificateDirectory.contents(pki, second));
      Eventually.holds("the rotation", () -> source.current().svid().equals(second));

      assertThat(log.warnings("is readable by other users")).hasSize(1);
    }
  }

  @Test
  @DisplayName("a pipe, a directory or an endless file in place of the key is refused, not read")
  void notAPlainFile() throws Exception {
    Path pipe = temporary.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path file : List.of(pipe, temporary, Path.of("/dev/zero"))) {
      try (PemFileSource source = files().key(file).build()) {
        assertThat(source.health().lastError()).contains("is not a regular file");
      }
    }
    Path huge = temporary.resolve("huge");
    Files.write(huge, new byte[(1 << 20) + 1]);
    try (PemFileSource source = files().key(huge).build()) {
      assertThat(source.health().lastError()).contains("expected: at most 1048576");
    }
  }

  @Test
  @DisplayName("ID-072 a root that cannot be read is counted, and the good one is trusted")
  void unreadableRoot() throws Exception {
    CertificateDirectory.replace(
        directory.roots(),
        PemTexts.block("CERTIFICATE", new byte[] {48, 1, 2})
            + PemTexts.certificate(pki.root().certificate()));

    try (CapturedLog log = new CapturedLog();
        PemFileSource source = files().build()) {
      assertThat(source.current().bundles()).isEqualTo(pki.bundles());
      assertThat(source.skippedRoots()).isEqualTo(1);
      assertThat(log.warnings("roots that cannot be read, and so are not trusted: 1")).hasSize(1);
    }
  }

  @Test
  @DisplayName("ID-073 new file times without new content are no event")
  void newTimesOnly() throws Exception {
    List<IdentitySnapshot> seen = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger readings = new AtomicInteger();
    try (PemFileSource source =
        files()
            .pollInterval(Duration.ofMillis(20))
            .opener(
                file -> {
                  readings.incrementAndGet();
                  return Files.newByteChannel(file);
                })
            .build()) {
      source.onUpdate(seen::add);
      for (Path file : List.of(directory.key(), directory.chain(), directory.roots())) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
      }
      int before = readings.get();
      Eventually.holds("read five times more", () -> readings.get() > before + 15);

      assertThat(source.current().version()).isEqualTo(1);
      assertThat(seen).isEmpty();
    }
  }

  @Test
  @DisplayName("an encrypted key is an error that says what to do")
  void encryptedKey() throws Exception {
    CertificateDirectory.replace(
        directory.key(), PemTexts.block("ENCRYPTED PRIVATE KEY", new byte[90]));

    try (PemFileSource source = files().build()) {
      assertThat(source.health().lastError()).contains("key: ").contains("encrypted");
    }
  }

  @Test
  @DisplayName("a file that was not named is an error of the caller")
  void incompleteBuilder() {
    assertThatThrownBy(() -> PemFileSource.builder().key(directory.key()).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no file for the chain has been named");
    assertThatThrownBy(() -> PemFileSource.builder().pollInterval(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: > 0");
  }

  private PemFileSource.Builder files() {
    return PemFileSource.builder()
        .key(directory.key())
        .chain(directory.chain())
        .roots(directory.roots());
  }
}
