// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.X509Svid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * A directory with {@code tls.key}, {@code tls.crt} and {@code ca.crt}, as cert-manager makes it.
 */
public final class CertificateDirectory {

  private final Path directory;
  private final TestPki pki;

  /** A directory without files yet. */
  public CertificateDirectory(Path directory, TestPki pki) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.pki = pki;
  }

  public Path key() {
    return directory.resolve("tls.key");
  }

  public Path chain() {
    return directory.resolve("tls.crt");
  }

  public Path roots() {
    return directory.resolve("ca.crt");
  }

  /** Replaces all three files, each by a rename. */
  public void write(X509Svid svid) throws IOException {
    replace(roots(), PemTexts.certificate(pki.root().certificate()));
    replace(key(), PemTexts.pkcs8(svid.privateKey()));
    replace(chain(), PemTexts.chain(svid));
  }

  /** The contents of the three files by name, for a {@link ProjectedVolume}. */
  public static Map<String, String> contents(TestPki pki, X509Svid svid) {
    return Map.of(
        "tls.key", PemTexts.pkcs8(svid.privateKey()),
        "tls.crt", PemTexts.chain(svid),
        "ca.crt", PemTexts.certificate(pki.root().certificate()));
  }

  /** Replaces one file by a rename; it is readable by its owner only. */
  public static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
