// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.Mesh;
import java.lang.reflect.Parameter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes the mesh of a test when a parameter first asks for it, and ends it after the test. */
final class MeshTestExtension
    implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(MeshTestExtension.class);

  /** Shows with a failure what the mesh did. */
  private static final class MeshDecisions extends Exception {
    private static final long serialVersionUID = 1L;

    MeshDecisions(String decisions) {
      super(decisions, null, false, false);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Mesh.class || type == LocalControlPlane.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "a mesh lives as long as one test: take it as a parameter of a test or of a @BeforeEach"
              + " method, not of "
              + parameter.getDeclaringExecutable().getName());
    }
    Testbed testbed = testbed(context);
    if (parameter.getParameter().getType() == LocalControlPlane.class) {
      return testbed.plane();
    }
    Optional<Member> member = parameter.findAnnotation(Member.class);
    return member.isPresent()
        ? testbed.mesh(member.get().value())
        : testbed.meshNamed(name(parameter.getParameter()));
  }

  private static String name(Parameter parameter) {
    if (!parameter.isNamePresent()) {
      throw new ParameterResolutionException(
          "which workload does "
              + parameter
              + " stand for? Say it by @Member, or compile with"
              + " -parameters");
    }
    return parameter.getName();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    Testbed testbed = existing(context);
    if (testbed != null) {
      failure.addSuppressed(new MeshDecisions(testbed.decisions()));
    }
    throw failure;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Testbed testbed = store(context).remove(Testbed.class, Testbed.class);
    if (testbed != null) {
      testbed.close();
    }
  }

  private static Testbed testbed(ExtensionContext context) {
    Testbed existing = existing(context);
    if (existing != null) {
      return existing;
    }
    MeshTest description =
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), MeshTest.class)
            .orElseThrow(() -> new ParameterResolutionException("the class lacks @MeshTest"));
    Testbed made = Testbed.start(description);
    store(context).put(Testbed.class, made);
    return made;
  }

  private static @Nullable Testbed existing(ExtensionContext context) {
    return store(context).get(Testbed.class, Testbed.class);
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
