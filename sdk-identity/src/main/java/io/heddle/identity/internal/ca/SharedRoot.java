// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import io.heddle.identity.IdentityException;
import io.heddle.identity.InvalidSpiffeIdException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.internal.pem.Certificates;
import io.heddle.identity.internal.pem.PemBlock;
import io.heddle.identity.internal.pem.PemBlocks;
import io.heddle.identity.internal.pem.PemException;
import io.heddle.identity.internal.pem.PemText;
import io.heddle.identity.internal.pem.PrivateKeys;
import io.heddle.identity.internal.x509.KeyMatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one private key that this library ever writes: a development root that the processes of one
 * developer share through a directory (D27). Whoever comes first makes it, under an exclusive lock;
 * certificate and key are one file, so that nobody reads half of the pair.
 */
public final class SharedRoot {

  static final String ROOT_FILE = "development-root.pem";
  private static final String LOCK_FILE = "development-root.lock";
  private static final String NEW_FILE = "development-root.new";

  private static final Set<PosixFilePermission> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_ONLY_FILE =
      PosixFilePermissions.fromString("rw-------");

  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(20);
  private static final long LOCK_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path directory;
  private final TrustDomain trustDomain;
  private final SecureRandom random;

  private SharedRoot(Path directory, TrustDomain trustDomain, SecureRandom random) {
    this.directory = directory;
    this.trustDomain = trustDomain;
    this.random = random;
  }

  /** Reads the root below {@code directory}, or makes it where there is none or it has expired. */
  public static IssuingAuthority open(
      Path directory,
      TrustDomain trustDomain,
      Instant now,
      Duration lifetime,
      SecureRandom random) {
    SharedRoot root = new SharedRoot(directory, trustDomain, random);
    try {
      root.prepareDirectory();
      return root.readOrMake(now, lifetime);
    } catch (IOException e) {
      throw new IdentityException.SourceFailed(
          "the shared development root in "
              + directory
              + " cannot be used ("
              + e
              + "); check that this user owns the directory and can write to it",
          e);
    }
  }

  private void prepareDirectory() throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(directory, ownerOnly(OWNER_ONLY_DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw new IdentityException.Refused(
            directory + " is not a directory; name one for the shared development root");
      }
    }
    refuseOthers(directory, "chmod 700 " + directory);
  }

  private IssuingAuthority readOrMake(Instant now, Duration lifetime) throws IOException {
    Path lockFile = directory.resolve(LOCK_FILE);
    // Closing the channel releases the lock.
    try (FileChannel channel =
        FileChannel.open(
            lockFile,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            ownerOnly(OWNER_ONLY_FILE))) {
      awaitLock(channel);
      IssuingAuthority existing = read();
      if (existing != null && existing.certificate().getNotAfter().toInstant().isAfter(now)) {
        return existing;
      }
      IssuingAuthority made =
          IssuingAuthority.selfSigned(
              trustDomain, now.minus(IssuingAuthority.BACKDATED), now.plus(lifetime), random);
      write(made);
      return made;
    }
  }

  /**
   * Waits for the lock. Not {@code lock()}: that throws where the holder is in this very JVM, and
   * has no limit where it is another process.
   */
  private static void awaitLock(FileChannel channel) throws IOException {
    long start = System.nanoTime();
    while (!tryLock(channel)) {
      if (System.nanoTime() - start > LOCK_PATIENCE.toNanos()) {
        throw new IOException(
            "another process has held " + LOCK_FILE + " for " + LOCK_PATIENCE.toSeconds() + " s");
      }
      LockSupport.parkNanos(LOCK_RETRY_NANOS);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private @Nullable IssuingAuthority read() throws IOException {
    Path file = directory.resolve(ROOT_FILE);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IdentityException.Refused(
          file + " is not a plain file; delete it, and the next start makes a new root");
    }
    refuseOthers(file, "delete it, and the next start makes a new root");
    byte[] text = Files.readAllBytes(file);
    try {
      List<PemBlock> blocks = PemBlocks.parse(text);
      X509Certificate certificate = Certificates.chain(blocks).get(0);
      PrivateKey key = PrivateKeys.read(blocks);
      refuseForeign(certificate);
      if (!KeyMatch.matches(certificate.getPublicKey(), key)) {
        throw new PemException("the key does not belong to the certificate");
      }
      return new IssuingAuthority(certificate, key, random);
    } catch (PemException e) {
      throw new IdentityException.SourceFailed(
          file
              + " is damaged ("
              + e.getMessage()
              + "); delete it, and the next start makes a new root",
          e);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  private void write(IssuingAuthority root) throws IOException {
    Path fresh = directory.resolve(NEW_FILE);
    // What an interrupted process left behind; the lock says that nobody is writing it now.
    Files.deleteIfExists(fresh);
    byte[] text = PemText.rootWithKey(root.certificate(), root.key());
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            ownerOnly(OWNER_ONLY_FILE))) {
      ByteBuffer remaining = ByteBuffer.wrap(text);
      while (remaining.hasRemaining()) {
        channel.write(remaining);
      }
      channel.force(true);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
    Files.move(
        fresh,
        directory.resolve(ROOT_FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void refuseForeign(X509Certificate certificate) throws PemException {
    TrustDomain found = trustDomainOf(certificate);
    if (!found.equals(trustDomain)) {
      throw new IdentityException.Refused(
          directory
              + " holds the development root of trust domain "
              + found
              + ", not of "
              + trustDomain
              + "; use the same trust domain in all processes, or another directory");
    }
  }

  private static TrustDomain trustDomainOf(X509Certificate certificate) throws PemException {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names != null && names.size() == 1) {
        return SpiffeId.parse(String.valueOf(names.iterator().next().get(1))).trustDomain();
      }
    } catch (CertificateParsingException | InvalidSpiffeIdException e) {
      throw new PemException("the certificate names no trust domain", e);
    }
    throw new PemException("the certificate names no trust domain");
  }

  private static void refuseOthers(Path path, String remedy) throws IOException {
    if (!hasPosixModes(path)) {
      return;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
    if (!OWNER_ONLY_DIRECTORY.containsAll(mode)) {
      throw new IdentityException.Refused(
          path
              + " is open to other users ("
              + PosixFilePermissions.toString(mode)
              + "), who could take over every identity below this root; "
              + remedy);
    }
  }

  private FileAttribute<?>[] ownerOnly(Set<PosixFilePermission> mode) {
    Path parent = directory.toAbsolutePath().getParent();
    return parent == null || hasPosixModes(parent)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasPosixModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
