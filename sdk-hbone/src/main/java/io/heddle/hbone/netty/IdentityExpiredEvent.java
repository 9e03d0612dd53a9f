// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.identity.SpiffeId;
import java.time.Instant;

/**
 * Fired as a user event in the pipeline of an open tunnel when a certificate of its connection
 * ends. The tunnel goes on; whoever wants the peer's identity proven anew closes it.
 *
 * @param peer who is at the other end
 * @param ours whether the certificate that ended is ours, else the peer's
 * @param notAfter when it ended
 */
public record IdentityExpiredEvent(SpiffeId peer, boolean ours, Instant notAfter) {}
