// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The values of HBONE: authorities, the headers of a CONNECT, settings, and the errors of a tunnel.
 *
 * <p>Nothing here opens a socket; that is {@code io.heddle.hbone.netty}. HBONE is HTTP/2 CONNECT
 * over mutual TLS, as Istio's ambient data plane speaks it on port 15008.
 */
@NullMarked
package io.heddle.hbone;

import org.jspecify.annotations.NullMarked;
