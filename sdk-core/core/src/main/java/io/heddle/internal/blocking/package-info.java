// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Blocking byte streams and {@code java.net.Socket}s over Netty channels.
 *
 * <p>A {@link io.heddle.internal.blocking.BlockingByteChannel} bridges one {@code DuplexChannel} to
 * threads that block; {@link io.heddle.internal.blocking.ChannelSocket} and its factory give that
 * bridge the shape that client libraries accept. How a channel comes about is told by a {@link
 * io.heddle.internal.blocking.ByteChannelConnector}; nothing here knows tunnels or a mesh.
 *
 * <p>Threads: application threads never wait on an event loop without being woken by its end, and
 * event loops never take a lock that an application thread holds.
 */
@NullMarked
package io.heddle.internal.blocking;

import org.jspecify.annotations.NullMarked;
