// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a mesh of its own: workloads on loopback addresses, a {@link
 * LocalControlPlane} that certifies and announces them, and a running {@code Mesh} for each
 * workload that the test takes as a parameter. All of it ends with the test. A test that fails
 * shows what the mesh decided about every connection, as a suppressed exception of the failure.
 *
 * <pre>{@code
 * @MeshTest(
 *     workloads = {"shop/web", "shop/intruder"},
 *     services = @Serves("shop/inventory"),
 *     policies = @Allow(to = "shop/inventory", from = "shop/web"))
 * class InventoryTest {
 *   @Test
 *   void webIsServed(@Member("shop/web") Mesh web, @Member("shop/inventory") Mesh inventory) {
 *     ...
 *     web.connect("inventory.shop", 80)
 *   }
 * }
 * }</pre>
 *
 * <p>A parameter of type {@code Mesh} without {@link Member} stands for the workload whose name it
 * has. A parameter of type {@link LocalControlPlane} changes the mesh while the test runs.
 * Workloads that no parameter stands for are announced and not running.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MeshTestExtension.class)
public @interface MeshTest {

  /**
   * Workloads that serve nothing.
   *
   * @return each as {@code namespace/name}; the service account is named as the workload
   */
  String[] workloads() default {};

  /**
   * Workloads with a service in front.
   *
   * @return the services
   */
  Serves[] services() default {};

  /**
   * Who reaches a workload. One that no policy names is reached by everybody.
   *
   * @return the policies
   */
  Allow[] policies() default {};

  /**
   * Namespaces whose workloads take nothing but authenticated tunnels.
   *
   * @return the namespaces
   */
  String[] strict() default {};
}
