// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import io.netty.channel.ChannelHandler;
import io.netty.channel.socket.DuplexChannel;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A Netty byte channel for threads that block, with the manners of a {@code java.net.Socket}.
 *
 * <p>Create one, put {@link #handler()} into the pipeline of a channel before it becomes active,
 * and use the streams from any threads but the channel's event loop. Both directions work at the
 * same time; in one direction callers take turns. Small writes are sent as they are: who writes
 * byte by byte should buffer.
 *
 * <p>A reset or any other failure of the channel is a {@code SocketException} with the channel's
 * exception as cause, after the bytes that arrived before it, and never an end of stream.
 */
public final class BlockingByteChannel implements Closeable {

  /**
   * How much each direction may hold while the other thread is busy; nothing is held by an idle
   * channel. Waking a thread costs about as much as moving 100 KiB, so a few hundred KiB keep both
   * threads at work.
   */
  public static final int DEFAULT_BUFFER_BYTES = 512 * 1024;

  /** {@link #lingerSeconds(int)}: close returns at once, and what was written is sent behind it. */
  public static final int LINGER_IN_BACKGROUND = -1;

  private final ChannelBridge bridge;
  private volatile int lingerSeconds = LINGER_IN_BACKGROUND;

  public BlockingByteChannel(ChannelReset resetting) {
    this.bridge = new ChannelBridge(resetting);
  }

  /** The handler that takes the channel over; for one channel, once. */
  public ChannelHandler handler() {
    return bridge;
  }

  /** The channel; null until the handler is in a pipeline. */
  public @Nullable DuplexChannel channel() {
    return bridge.channel();
  }

  /** Closing it closes the channel. */
  public InputStream input() {
    return bridge.inbound();
  }

  /** Closing it closes the channel; written bytes are on their way without a flush. */
  public OutputStream output() {
    return bridge.outbound();
  }

  /** How long a read may wait until {@code SocketTimeoutException}; 0 for ever. */
  public void readTimeoutMillis(int millis) {
    bridge.inbound().timeoutMillis(millis);
  }

  public void receiveBufferBytes(int bytes) {
    bridge.inbound().readAheadBytes(bytes);
  }

  public void sendBufferBytes(int bytes) {
    bridge.outbound().sendBufferBytes(bytes);
  }

  /**
   * What close does with bytes not yet sent: {@link #LINGER_IN_BACKGROUND}; 0 drops them and
   * resets; more lets close wait so long, then reset.
   */
  public void lingerSeconds(int seconds) {
    lingerSeconds = seconds;
  }

  /** Reads return -1 from now on, what the peer still sends is thrown away. */
  public void shutdownInput() {
    bridge.inbound().shutdown();
  }

  /** The peer reads an end of stream after what was written; reading goes on. */
  public void shutdownOutput() {
    bridge.outbound().shutdown();
  }

  public boolean isClosed() {
    return bridge.isClosed();
  }

  /** Closes so that the peer sees an error; what was not yet sent is dropped. */
  public void reset() {
    bridge.abort();
  }

  @Override
  public void close() throws IOException {
    int linger = lingerSeconds;
    if (linger == 0 && !bridge.isClosed()) {
      bridge.abort();
      return;
    }
    bridge.close();
    DuplexChannel channel = bridge.channel();
    if (linger > 0 && channel != null && !channel.eventLoop().inEventLoop()) {
      lingerFor(linger);
    }
  }

  private void lingerFor(int seconds) {
    try {
      bridge.gone().get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      bridge.abort();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      throw new AssertionError("gone is never completed with a failure", impossible);
    }
  }
}
