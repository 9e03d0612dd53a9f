// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.X509Svid;
import org.jspecify.annotations.Nullable;

/**
 * Says which SVID a handshake presents.
 *
 * <p>TLS engines ask three times: for an alias, then for the chain of that alias, then for its key.
 * Under rotation the three answers belong together only if the alias names one SVID for good, so an
 * alias is never used again for another one.
 */
interface KeyChoice {

  /**
   * The alias of the SVID that a connection presents.
   *
   * @param connection the engine or socket that shakes hands; null if the engine does not say
   * @return the alias; null to present none, which fails the handshake
   */
  @Nullable String alias(@Nullable Object connection);

  /** The SVID behind an alias given out before; null once it is forgotten. */
  @Nullable X509Svid svid(String alias);
}
