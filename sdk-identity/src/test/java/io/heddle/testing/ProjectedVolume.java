// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A volume as the kubelet publishes it: files are links into {@code ..data}, which is a link to a
 * dated directory, and a publication swaps that one link.
 */
public final class ProjectedVolume {

  private final Path mount;
  private final String mode;
  private int publications;

  /** An empty volume whose files only their owner will be able to read. */
  public ProjectedVolume(Path mount) throws IOException {
    this(mount, "rw-------");
  }

  /** An empty volume whose files will have the given mode. */
  public ProjectedVolume(Path mount, String mode) throws IOException {
    this.mount = Files.createDirectories(mount);
    this.mode = mode;
  }

  /** Publishes new contents by file name, and removes those published before. */
  public void publish(Map<String, String> contents) throws IOException {
    Path data = mount.resolve("..data");
    Path before = Files.isSymbolicLink(data) ? data.toRealPath() : null;
    Path dated = Files.createDirectory(mount.resolve("..2026_11_30_" + ++publications));
    for (Map.Entry<String, String> file : contents.entrySet()) {
      Path target = Files.writeString(dated.resolve(file.getKey()), file.getValue());
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
    }
    Path fresh = Files.createSymbolicLink(mount.resolve("..data_tmp"), dated.getFileName());
    Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    for (String name : contents.keySet()) {
      Path link = mount.resolve(name);
      if (!Files.isSymbolicLink(link)) {
        Files.createSymbolicLink(link, Path.of("..data", name));
      }
    }
    if (before != null) {
      delete(before);
    }
  }

  /** Removes a directory and what is in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
