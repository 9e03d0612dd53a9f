// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.InvalidLocalConfigException;
import io.heddle.internal.local.LocalConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Workloads, services and policies of a mesh at one moment, made in code or from ztunnel's local
 * format. Immutable.
 *
 * <pre>{@code
 * MeshState state = MeshState.builder()
 *     .workload("shop/web", "127.0.10.1")
 *     .workload("shop/inventory", "127.0.10.2")
 *     .service("shop/inventory", "127.0.11.1", 80, 8080, "shop/inventory")
 *     .allow("shop/inventory-for-web", "shop/inventory", "shop/web")
 *     .build();
 * }</pre>
 */
public final class MeshState {

  /** What a workload of the local format belongs to when it names no trust domain. */
  private static final TrustDomain DEFAULT_TRUST_DOMAIN = TrustDomain.parse("cluster.local");

  private final LocalConfig config;

  MeshState(LocalConfig config) {
    this.config = config;
  }

  /**
   * A mesh of nothing.
   *
   * @return a state without workloads, services and policies
   */
  public static MeshState empty() {
    return builder().build();
  }

  /**
   * Reads ztunnel's local format.
   *
   * @param yaml the text
   * @return the state
   * @throws IllegalArgumentException with all that is wrong with the text
   */
  public static MeshState parse(String yaml) {
    return parse(yaml, "the local configuration");
  }

  /**
   * Reads a file in ztunnel's local format.
   *
   * @param file the YAML file
   * @return the state
   * @throws IllegalArgumentException with all that is wrong with its text
   * @throws UncheckedIOException if the file cannot be read
   */
  public static MeshState read(Path file) {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static MeshState parse(String yaml, String origin) {
    try {
      return new MeshState(LocalConfig.parse(yaml, origin, DEFAULT_TRUST_DOMAIN));
    } catch (InvalidLocalConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Makes a state in code.
   *
   * @return a builder without anything
   */
  public static MeshStateBuilder builder() {
    return new MeshStateBuilder();
  }

  /**
   * Makes a state that differs from this one.
   *
   * @return a builder with all that is in this state
   */
  public MeshStateBuilder toBuilder() {
    return new MeshStateBuilder().addAll(config);
  }

  LocalConfig config() {
    return config;
  }
}
