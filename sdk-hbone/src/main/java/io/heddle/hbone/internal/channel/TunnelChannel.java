// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import static io.heddle.hbone.internal.channel.TunnelStream.Ending.CLEAN;
import static io.heddle.hbone.internal.channel.TunnelStream.Ending.LOSSY;
import static io.heddle.hbone.internal.channel.TunnelStream.Ending.RESET;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.identity.PeerSvid;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.util.internal.StringUtil;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a tunnel. All state is confined to the event loop; the few flags that other
 * threads may ask for are volatile.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A buffer is fired through the pipeline only after a {@code read()}, and never after the
 *       channel is closed.
 *   <li>The peer's end is delivered after its last byte, an error after the bytes before it.
 *   <li>Flushed bytes stay in Netty's outbound buffer until flow control lets the stream take them,
 *       so that {@code isWritable()} is true to the wire.
 * </ul>
 */
public final class TunnelChannel extends AbstractChannel implements Tunnel {
  private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

  private final Authority authority;
  private final PeerSvid peer;
  private final @Nullable String responseBaggage;
  private final TunnelChannelConfig config;
  private final TunnelStream stream;
  private final TunnelInput input;

  private volatile boolean active;
  private volatile boolean closed;
  private volatile boolean outputShutdown;

  private boolean outputEnded;
  private boolean outputTaken;
  private boolean resetRequested;
  private @Nullable ChannelPromise outputPromise;

  /**
   * A channel that is not registered yet.
   *
   * @param parent the channel of the connection
   * @param streamId the number of the stream, for the channel's id
   */
  public TunnelChannel(
      Channel parent,
      int streamId,
      TunnelStream stream,
      PeerSvid peer,
      Authority authority,
      @Nullable String responseBaggage) {
    super(parent, new TunnelId(parent.id(), streamId));
    this.stream = stream;
    this.input = new TunnelInput(this, stream);
    this.peer = peer;
    this.authority = authority;
    this.responseBaggage = responseBaggage;
    this.config = new TunnelChannelConfig(this, parent);
  }

  @Override
  public PeerSvid peer() {
    return peer;
  }

  @Override
  public Authority authority() {
    return authority;
  }

  @Override
  public Optional<String> responseBaggage() {
    return Optional.ofNullable(responseBaggage);
  }

  // What the stream below tells.

  /** The tunnel is established: makes the channel active. */
  public void open(EventLoop loop) {
    active = true;
    unsafe().register(loop, newPromise());
  }

  /** Closes a channel that was never opened. */
  public void abandon() {
    closeNow();
  }

  /**
   * Bytes arrived. The caller keeps the buffer and returns as much credit as this returns.
   *
   * @return how many bytes are done with; the others are told to {@link TunnelStream#consumed}
   */
  public int receive(ByteBuf data) {
    return input.receive(data);
  }

  /** The peer's output ended in order. Delivered by the next {@link #receiveComplete}. */
  public void receiveEnd() {
    input.receiveEnd();
  }

  /** The bytes read from the wire together are all received. */
  public void receiveComplete() {
    input.receiveComplete();
  }

  /** The tunnel broke. Bytes that arrived before stay readable; the error comes after them. */
  public void fail(TunnelException cause) {
    // When both directions were over before, nothing is lost, only not read yet.
    if (closed || input.hasFailed() || (outputEnded && input.hasEnded())) {
      return;
    }
    if (!active) {
      abandon();
    } else if (input.fail(cause)) {
      outputShutdown = true;
      ((TunnelUnsafe) unsafe()).shutdownOutput(voidPromise());
    }
  }

  /** The peer, having ended its output, wants no more of ours either. */
  public void outputRefused() {
    outputShutdown = true;
    outputEnded();
  }

  /** The output's end is on its way to the peer. */
  public void outputEnded() {
    outputEnded = true;
    ChannelPromise promise = outputPromise;
    outputPromise = null;
    if (promise != null) {
      promise.trySuccess();
    }
    if (!closed) {
      pipeline().fireUserEventTriggered(ChannelOutputShutdownEvent.INSTANCE);
      closeIfOver();
    }
  }

  /** Whether the end of the output follows the last flushed byte. */
  public boolean outputEnding() {
    return outputShutdown && !input.hasFailed();
  }

  /** The flushed messages, or null when the channel takes no more. */
  public @Nullable ChannelOutboundBuffer flushed() {
    return unsafe().outboundBuffer();
  }

  @Override
  protected void doBeginRead() {
    input.beginRead();
  }

  /** Only the loop may touch the flag; a late one costs at most one more message. */
  void autoReadCleared() {
    if (isRegistered() && eventLoop().inEventLoop()) {
      input.autoReadCleared();
    }
  }

  // Writing.

  @Override
  protected Object filterOutboundMessage(Object message) throws ChannelOutputShutdownException {
    if (!(message instanceof ByteBuf)) {
      throw new UnsupportedOperationException(
          "a tunnel carries bytes: write a ByteBuf, not " + StringUtil.simpleClassName(message));
    }
    if (outputShutdown) {
      throw new ChannelOutputShutdownException("output was shut down");
    }
    return message;
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer in) {
    stream.outputReady();
  }

  @Override
  public boolean isOutputShutdown() {
    return outputShutdown || !isActive();
  }

  @Override
  public ChannelFuture shutdownOutput() {
    return shutdownOutput(newPromise());
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    if (eventLoop().inEventLoop()) {
      endOutput(promise);
    } else {
      eventLoop().execute(() -> endOutput(promise));
    }
    return promise;
  }

  /** Unlike with sockets nothing is dropped: what was written before goes out before the end. */
  private void endOutput(ChannelPromise promise) {
    if (!promise.setUncancellable()) {
      return;
    }
    if (closed || !active || input.hasFailed()) {
      promise.tryFailure(new ChannelOutputShutdownException("tunnel is not open"));
    } else if (outputPromise != null) {
      outputPromise.addListener(done -> promise.trySuccess());
    } else if (outputShutdown) {
      promise.trySuccess();
    } else {
      unsafe().flush();
      outputShutdown = true;
      outputPromise = promise;
      stream.outputReady();
    }
  }

  @Override
  public boolean isInputShutdown() {
    return input.isShutdown() || !isActive();
  }

  @Override
  public ChannelFuture shutdownInput() {
    return shutdownInput(newPromise());
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    if (eventLoop().inEventLoop()) {
      ignoreInput(promise);
    } else {
      eventLoop().execute(() -> ignoreInput(promise));
    }
    return promise;
  }

  private void ignoreInput(ChannelPromise promise) {
    input.ignore();
    promise.trySuccess();
  }

  @Override
  public boolean isShutdown() {
    return isInputShutdown() && isOutputShutdown();
  }

  @Override
  public ChannelFuture shutdown() {
    return shutdown(newPromise());
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Shutting down the input cannot fail.
  public ChannelFuture shutdown(ChannelPromise promise) {
    shutdownInput();
    return shutdownOutput(promise);
  }

  // Closing.

  /** Both halves are over: there is nothing left to wait for. */
  void closeIfOver() {
    if (!closed && outputEnded && input.isShutdown()) {
      closeNow();
    }
  }

  void closeNow() {
    unsafe().close(voidPromise());
  }

  @Override
  public ChannelFuture reset() {
    if (eventLoop().inEventLoop()) {
      resetNow();
    } else {
      eventLoop().execute(this::resetNow);
    }
    return closeFuture();
  }

  private void resetNow() {
    resetRequested = true;
    closeNow();
  }

  @Override
  protected void doClose() {
    closed = true;
    active = false;
    boolean clean = input.release() == 0 && outputTaken;
    stream.channelClosed(resetRequested ? RESET : clean ? CLEAN : LOSSY);
    ChannelPromise promise = outputPromise;
    outputPromise = null;
    if (promise != null) {
      promise.tryFailure(new ChannelOutputShutdownException("tunnel was closed"));
    }
  }

  /** The output half is ended by its own frame, when everything before it is out. */
  @Override
  protected void doShutdownOutput() {}

  /** As much as sockets do: bytes that were flushed just before a close are sent if they can be. */
  private boolean takeOutput() {
    ChannelOutboundBuffer out = flushed();
    if (!active || input.hasFailed() || resetRequested || out == null) {
      return out == null || out.totalPendingWriteBytes() == 0;
    }
    if (!out.isEmpty()) {
      stream.takeOutputNow();
    }
    return out.totalPendingWriteBytes() == 0;
  }

  private final class TunnelUnsafe extends AbstractUnsafe {
    @Override
    public void connect(
        SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise) {
      promise.tryFailure(new UnsupportedOperationException("a tunnel is opened by its connection"));
    }

    @Override
    protected void close(
        ChannelPromise promise, Throwable cause, ClosedChannelException closeCause) {
      if (!closed) {
        outputTaken = takeOutput();
      }
      super.close(promise, cause, closeCause);
    }
  }

  // The rest of a channel.

  @Override
  public TunnelChannelConfig config() {
    return config;
  }

  /** Known before the channel is registered, as that of a cancelled request never is. */
  @Override
  public EventLoop eventLoop() {
    return parent().eventLoop();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public boolean isActive() {
    return active;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new TunnelUnsafe();
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    return parent().localAddress();
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return parent().remoteAddress();
  }

  @Override
  protected void doBind(SocketAddress localAddress) {
    throw new UnsupportedOperationException("a tunnel is opened by its connection");
  }

  @Override
  protected void doDisconnect() {
    closeNow();
  }
}
