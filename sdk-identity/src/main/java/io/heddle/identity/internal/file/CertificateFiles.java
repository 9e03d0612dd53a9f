// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where the parts of an identity are. Key and chain are one file where a producer writes a
 * credential bundle.
 *
 * @param key the private key
 * @param chain the certificates to present, leaf first
 * @param roots the trust anchors
 */
public record CertificateFiles(Path key, Path chain, Path roots) {

  /** Makes the paths absolute: the working directory is not ours to rely on later. */
  public CertificateFiles {
    key = key.toAbsolutePath();
    chain = chain.toAbsolutePath();
    roots = roots.toAbsolutePath();
  }

  /** The files, each once. */
  Set<Path> all() {
    Set<Path> all = new LinkedHashSet<>();
    all.add(key);
    all.add(chain);
    all.add(roots);
    return all;
  }

  /** The directories of the files, each once. */
  Set<Path> directories() {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path file : all()) {
      directories.add(directoryOf(file));
    }
    return directories;
  }

  static Path directoryOf(Path file) {
    Path parent = file.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(file + " is not the path of a file");
    }
    return parent;
  }

  @Override
  public String toString() {
    return key.equals(chain)
        ? "credential bundle " + key + ", roots " + roots
        : "key " + key + ", chain " + chain + ", roots " + roots;
  }
}
