// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import io.netty.channel.ChannelId;

/** The connection's id and the stream's number: cheaper than an id of its own, and tells more. */
record TunnelId(ChannelId connection, int stream) implements ChannelId {
  private static final long serialVersionUID = 1L;

  @Override
  public String asShortText() {
    return connection.asShortText() + '/' + stream;
  }

  @Override
  public String asLongText() {
    return connection.asLongText() + '/' + stream;
  }

  @Override
  public int compareTo(ChannelId other) {
    if (other instanceof TunnelId tunnel && connection.equals(tunnel.connection)) {
      return Integer.compare(stream, tunnel.stream);
    }
    return asLongText().compareTo(other.asLongText());
  }

  @Override
  public String toString() {
    return asShortText();
  }
}
