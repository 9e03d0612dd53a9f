// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.outbound.OutboundConnector;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets the adapters of this jar reach what is behind the facade, without a public method that shows
 * it. The facade sets it when its class is initialized, before an object of it exists.
 */
public final class FacadeAccess {

  private static volatile @Nullable Function<Object, ? extends View<?>> access;

  private FacadeAccess() {}

  /** Called once, by the facade. */
  public static void set(Function<Object, ? extends View<?>> access) {
    FacadeAccess.access = access;
  }

  /** What is behind a facade; {@code E} is the facade's type of an exposure. */
  @SuppressWarnings("unchecked") // The facade alone sets it, with its own type.
  public static <E> View<E> view(Object mesh) {
    return (View<E>) Objects.requireNonNull(access, "no mesh exists").apply(mesh);
  }

  /** What adapters need of a mesh. */
  public interface View<E> {

    /** Opens connections. */
    OutboundConnector connector();

    /** Exposes a port. */
    E expose(int port, Delivery delivery);

    /** The failure in the facade's words. */
    RuntimeException failure(String asked, Throwable cause);
  }
}
