// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one istiod of the whole run: it takes seconds to start. */
final class IstiodExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(IstiodExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Istiod.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Run.class, any -> Run.start(), Run.class)
        .istiod;
  }

  /** An istiod, and the directory that it leaves nothing in. */
  private record Run(Istiod istiod, Path directory) implements AutoCloseable {

    static Run start() {
      try {
        Path directory = Files.createTempDirectory("heddle-istiod");
        return new Run(new Istiod(directory), directory);
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException("cannot start istiod", e);
      }
    }

    @Override
    public void close() throws IOException {
      istiod.close();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
