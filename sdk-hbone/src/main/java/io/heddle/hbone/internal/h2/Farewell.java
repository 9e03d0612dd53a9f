// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How one connection is closed. It takes no more tunnels once this has begun. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class Farewell {
  /** Long enough for a peer to read what is on its way, and to close first. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final TunnelConnection connection;
  private boolean begun;
  private @Nullable Future<?> linger;

  Farewell(TunnelConnection connection) {
    this.connection = connection;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Sends GOAWAY and closes; open tunnels are cut. */
  void now(String reason) {
    boolean first = begin(reason);
    if (first || linger != null) {
      // The end of the last stream may be on its way down in this very call: TLS would drop it.
      context().executor().execute(this::flushAndClose);
    }
    if (first) {
      connection.onChange();
    }
  }

  /**
   * Sends GOAWAY, and closes when the peer has answered in kind, or has closed. Who closes a socket
   * in which bytes of the peer wait unread, be it a WINDOW_UPDATE, resets it, and the kernel then
   * throws away what it has not sent yet: the end of a tunnel that is over for us already.
   */
  void afterPeer(String reason) {
    if (begin(reason)) {
      connection.requestFlush();
      linger =
          context()
              .executor()
              .schedule(() -> context().close(), LINGER.toNanos(), TimeUnit.NANOSECONDS);
      connection.onChange();
    }
  }

  /** Closes a connection whose peer does not answer; a client need not be polite then. */
  void giveUp(String reason) {
    if (!begun) {
      begun = true;
      connection.end().fail(reason);
      connection.stopTimers();
      if (connection.isServer()) {
        writeGoAway();
        connection.flush(context());
      }
      context().close();
      connection.onChange();
    }
  }

  /** The connection ends by itself: there is nothing left to say. */
  void overtaken() {
    begun = true;
    connection.stopTimers();
    if (linger != null) {
      linger.cancel(false);
    }
  }

  /**
   * The peer has sent GOAWAY.
   *
   * @return whether that was all that was waited for
   */
  boolean answered() {
    if (linger == null) {
      return false;
    }
    context().close();
    return true;
  }

  private boolean begin(String reason) {
    if (begun) {
      return false;
    }
    begun = true;
    connection.end().expect(reason);
    connection.stopTimers();
    writeGoAway();
    return true;
  }

  private void flushAndClose() {
    connection.flush(context());
    context().close();
  }

  private void writeGoAway() {
    connection.writeGoAway(connection.connection().remote().lastStreamCreated());
  }

  private ChannelHandlerContext context() {
    return connection.context();
  }
}
