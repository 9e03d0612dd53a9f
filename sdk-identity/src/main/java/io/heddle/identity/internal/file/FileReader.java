// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import io.heddle.identity.IdentityException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a set of files so that all of them are of one publication.
 *
 * <p>Kubernetes publishes a volume by swapping the link {@code ..data}. Whoever reads several files
 * through that link sees a mixed pair in one of a hundred reads (identity reference 4.3), so links
 * are resolved once, the files are read below the resolved directory, and the links are looked at
 * again afterwards.
 */
public final class FileReader {

  private static final String KUBERNETES_DATA = "..data";

  /** A key file beyond this is something else. */
  private static final long MOST_KEY_BYTES = 1 << 20;

  private static final long MOST_BYTES = 16 << 20;

  private final CertificateFiles files;
  private final FileModes modes;
  private final Opener opener;

  /** Opens one file for reading. */
  @FunctionalInterface
  public interface Opener {

    /** A channel at the start of {@code file}. */
    SeekableByteChannel open(Path file) throws IOException;
  }

  /**
   * A reader of one set of files.
   *
   * @param files what to read
   * @param modes judges who else could read or replace the files
   * @param opener opens each file, exactly once for each reading
   */
  public FileReader(CertificateFiles files, FileModes modes, Opener opener) {
    this.files = files;
    this.modes = modes;
    this.opener = opener;
  }

  /**
   * Reads all files. The caller closes the contents, which wipes them.
   *
   * @throws IOException if a file is missing or changed meanwhile: try again
   * @throws IdentityException.Refused if a file must not be used
   */
  public FileContents read() throws IOException {
    Map<Path, Path> targets = resolve();
    Map<Path, byte[]> texts = new LinkedHashMap<>();
    FileContents contents = new FileContents(files, texts);
    try {
      for (Map.Entry<Path, Path> file : targets.entrySet()) {
        boolean isKey = file.getKey().equals(files.key());
        check(file.getKey(), file.getValue(), isKey);
        texts.put(file.getKey(), readOnce(file.getValue()));
      }
      if (!resolve().equals(targets)) {
        throw new IOException("the files were republished while they were being read");
      }
      return contents;
    } catch (IOException | RuntimeException e) {
      contents.close();
      throw e;
    }
  }

  private Map<Path, Path> resolve() throws IOException {
    Map<Path, Path> directories = new HashMap<>();
    Map<Path, Path> targets = new LinkedHashMap<>();
    for (Path file : files.all()) {
      Path directory = CertificateFiles.directoryOf(file);
      Path resolved = directories.get(directory);
      if (resolved == null) {
        resolved = resolveDirectory(directory);
        directories.put(directory, resolved);
      }
      Path below = resolved.resolve(file.getFileName());
      // A file mounted on its own (subPath) is not below the published directory.
      targets.put(file, (Files.exists(below) ? below : file).toRealPath());
    }
    return targets;
  }

  private static Path resolveDirectory(Path directory) throws IOException {
    Path data = directory.resolve(KUBERNETES_DATA);
    return (Files.isSymbolicLink(data) ? data : directory).toRealPath();
  }

  /** Before opening: opening a pipe would block. */
  private void check(Path file, Path target, boolean isKey) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(target, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IdentityException.Refused(
          target + " is not a regular file (a pipe, device or directory); name a plain file");
    }
    long most = isKey ? MOST_KEY_BYTES : MOST_BYTES;
    if (attributes.size() > most) {
      throw new IdentityException.Refused(
          target + " has " + attributes.size() + " bytes (expected: at most " + most + ")");
    }
    if (isKey) {
      modes.judgeKey(file, target);
    }
  }

  /** Into an array of the right size from the start: a growing buffer leaves copies behind. */
  private byte[] readOnce(Path target) throws IOException {
    try (SeekableByteChannel channel = opener.open(target)) {
      byte[] text = new byte[Math.toIntExact(channel.size())];
      ByteBuffer buffer = ByteBuffer.wrap(text);
      int read = 0;
      while (buffer.hasRemaining() && read >= 0) {
        read = channel.read(buffer);
      }
      if (buffer.hasRemaining() || channel.size() != text.length) {
        Arrays.fill(text, (byte) 0);
        throw new IOException(target + " changed its size while it was being read");
      }
      return text;
    }
  }
}
