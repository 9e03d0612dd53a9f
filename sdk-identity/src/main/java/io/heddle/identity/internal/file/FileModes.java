// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import io.heddle.identity.IdentityException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges who besides us can read a key or put another one in its place (identity reference 4.4).
 * Looks at the final target of links, because links themselves are open to everybody. Each finding
 * is logged once. Confined to the thread that reads.
 */
public final class FileModes {

  private static final Logger log = LoggerFactory.getLogger(FileModes.class);

  private static final Path PROCESS = Path.of("/proc/self");
  private static final String OWNER = "unix:uid";

  private final Strictness strictness;
  private final Set<String> reported = new HashSet<>();

  /** What to do about a key that others can read. */
  public enum Strictness {
    /** Say so: in pods with a file group such modes are common. */
    WARN,
    /** Do not use the key. */
    REFUSE
  }

  /** A judge of the given strictness. */
  public FileModes(Strictness strictness) {
    this.strictness = strictness;
  }

  /**
   * Looks at a key file and its directory.
   *
   * @param file the path that was configured; a finding about it is told once, although the target
   *     of a volume's links is another one after each rotation
   * @param target what the path leads to
   */
  void judgeKey(Path file, Path target) throws IOException {
    if (!target.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(target);
    if (mode.contains(PosixFilePermission.GROUP_READ)
        || mode.contains(PosixFilePermission.OTHERS_READ)) {
      String text =
          "private key "
              + target
              + " is readable by other users ("
              + PosixFilePermissions.toString(mode)
              + "); set its mode to 0600";
      if (strictness == Strictness.REFUSE) {
        throw new IdentityException.Refused(text);
      }
      report("mode of " + file, text);
    }
    judgeOwner(file, target);
    Path directory = CertificateFiles.directoryOf(target);
    if (Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
      report(
          "directory of " + file,
          "directory " + directory + " of a private key is writable by every user");
    }
  }

  private void judgeOwner(Path file, Path target) throws IOException {
    if (!Files.exists(PROCESS)) {
      return;
    }
    Object owner = Files.getAttribute(target, OWNER);
    Object user = Files.getAttribute(PROCESS, OWNER, LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(user) && !owner.equals(0)) {
      report(
          "owner of " + file,
          "private key " + target + " belongs to user " + owner + ", not to this process");
    }
  }

  private void report(String finding, String text) {
    if (reported.add(finding)) {
      log.warn("{}", text);
    }
  }
}
