// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A tunnel as a Netty channel, over any stream that can carry it. It knows no HTTP/2.
 *
 * <p>The channel has no socket and no selector: it lives on the event loop of the connection below
 * it, and every method is called there.
 */
@NullMarked
package io.heddle.hbone.internal.channel;

import org.jspecify.annotations.NullMarked;
