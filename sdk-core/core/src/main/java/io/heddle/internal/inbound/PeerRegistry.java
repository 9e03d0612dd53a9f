// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.internal.net.IpAddresses;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is behind a TCP connection that the mesh makes to the application. Only the mesh writes here,
 * and it holds the port of the key while the entry exists: the entry is made between bind and
 * connect, and it counts for nothing once the channel is closed, which is before the port is given
 * back. So nobody else can connect from that address and be taken for the peer. Thread-safe.
 */
public final class PeerRegistry {

  private record End(InetAddress address, int port) {}

  /** What the mesh dialled from a bound port, and for whom. */
  private record Entry(Channel channel, End application, AdmittedPeer peer) {}

  private final Map<End, Entry> entries = new ConcurrentHashMap<>();

  /** Enters a connection that is bound and about to be made. */
  void enter(Channel channel, InetSocketAddress to, AdmittedPeer peer) {
    End from = end((InetSocketAddress) channel.localAddress());
    Entry entry = new Entry(channel, end(to), peer);
    entries.put(from, entry);
    channel.closeFuture().addListener(closed -> entries.remove(from, entry));
  }

  /** The peer behind a connection, by the remote address that the application sees. */
  public @Nullable AdmittedPeer peer(SocketAddress remote) {
    Entry entry = entry(remote);
    return entry == null ? null : entry.peer();
  }

  /** The same where the application knows both addresses; both must fit. */
  public @Nullable AdmittedPeer peer(SocketAddress remote, SocketAddress local) {
    Entry entry = entry(remote);
    return entry != null
            && local instanceof InetSocketAddress at
            && at.getAddress() != null
            && entry.application().equals(end(at))
        ? entry.peer()
        : null;
  }

  /** How many connections are entered. */
  int size() {
    return entries.size();
  }

  private @Nullable Entry entry(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress from) || from.getAddress() == null) {
      return null;
    }
    Entry entry = entries.get(end(from));
    // Netty marks a channel closed before it closes the descriptor, and so before the kernel can
    // give the port to somebody else; the close future comes after.
    return entry != null && entry.channel().isOpen() ? entry : null;
  }

  private static End end(InetSocketAddress address) {
    return new End(IpAddresses.canonical(address.getAddress()), address.getPort());
  }
}
