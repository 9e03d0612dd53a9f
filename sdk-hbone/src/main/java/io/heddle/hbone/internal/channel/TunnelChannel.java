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
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
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

  private final Runnable drain = this::drainInbound;

  private volatile boolean active;
  private volatile boolean closed;
  private volatile boolean inputShutdown;
  private volatile boolean outputShutdown;

  private @Nullable InboundQueue inbound;
  private boolean readPending;
  private boolean deliveredInBatch;
  private boolean drainScheduled;
  private boolean endReceived;
  private boolean outputEnded;
  private boolean outputTaken;
  private boolean resetRequested;
  private @Nullable TunnelException failure;
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
    unsafe().close(voidPromise());
  }

  /**
   * Bytes arrived. The caller keeps the buffer and returns as much credit as this returns.
   *
   * @return how many bytes are done with; the others are told to {@link TunnelStream#consumed}
   */
  public int receive(ByteBuf data) {
    int size = data.readableBytes();
    if (closed || inputShutdown || failure != null || size == 0) {
      return size;
    }
    if (mayDeliver() && queueEmpty()) {
      deliver(data.retain());
      return size;
    }
    if (inbound == null) {
      inbound = new InboundQueue();
    }
    inbound.add(data, alloc());
    return 0;
  }

  /** The peer's output ended in order. Delivered by the next {@link #receiveComplete}. */
  public void receiveEnd() {
    endReceived = true;
  }

  /** The bytes read from the wire together are all received. */
  public void receiveComplete() {
    if (!active || closed) {
      return;
    }
    if (deliveredInBatch) {
      deliveredInBatch = false;
      readPending = false;
      pipeline().fireChannelReadComplete();
    }
    if (readPending && queueEmpty()) {
      deliverEnd();
    }
  }

  /** The tunnel broke. Bytes that arrived before stay readable; the error comes after them. */
  public void fail(TunnelException cause) {
    if (closed || failure != null) {
      return;
    }
    if (!active) {
      abandon();
      return;
    }
    failure = cause;
    if (queueEmpty()) {
      deliverFailure();
      return;
    }
    outputShutdown = true;
    ((TunnelUnsafe) unsafe()).shutdownOutput(voidPromise());
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
    return outputShutdown && failure == null;
  }

  /** The flushed messages, or null when the channel takes no more. */
  public @Nullable ChannelOutboundBuffer flushed() {
    return unsafe().outboundBuffer();
  }

  // Reading.

  private boolean queueEmpty() {
    return inbound == null || inbound.isEmpty();
  }

  /** As with sockets, a {@code read()} without auto-read is good for one message. */
  private boolean mayDeliver() {
    return readPending && active && (!deliveredInBatch || config.isAutoRead());
  }

  private void deliver(ByteBuf data) {
    deliveredInBatch = true;
    pipeline().fireChannelRead(data);
  }

  @Override
  protected void doBeginRead() {
    if (readPending) {
      return;
    }
    readPending = true;
    if (!queueEmpty() || (endReceived && !inputShutdown) || failure != null) {
      scheduleDrain();
    }
  }

  /** Later, because {@code read()} is often called from a handler that is still busy. */
  private void scheduleDrain() {
    if (!drainScheduled) {
      drainScheduled = true;
      eventLoop().execute(drain);
    }
  }

  private void drainInbound() {
    drainScheduled = false;
    if (closed) {
      return;
    }
    while (!closed && inbound != null && !inbound.isEmpty() && mayDeliver()) {
      ByteBuf data = inbound.poll();
      if (data != null) {
        int size = data.readableBytes();
        deliver(data);
        stream.consumed(size);
      }
    }
    receiveComplete();
  }

  /** Only the loop may touch the flag; a late false costs at most one more message. */
  void autoReadCleared() {
    if (isRegistered() && eventLoop().inEventLoop()) {
      readPending = false;
    }
  }

  private void deliverEnd() {
    if (failure != null) {
      deliverFailure();
    } else if (endReceived && !inputShutdown) {
      inputShutdown = true;
      if (config.isAllowHalfClosure()) {
        pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        closeIfOver();
      } else {
        unsafe().close(voidPromise());
      }
    }
  }

  private void deliverFailure() {
    TunnelException cause = failure;
    if (cause != null) {
      if (deliveredInBatch) {
        deliveredInBatch = false;
        pipeline().fireChannelReadComplete();
      }
      pipeline().fireExceptionCaught(cause);
      unsafe().close(voidPromise());
    }
  }

  private void closeIfOver() {
    if (!closed && outputEnded && inputShutdown) {
      unsafe().close(voidPromise());
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
    if (closed || !active || failure != null) {
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
    return inputShutdown || !isActive();
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

  /** What arrives from now on is thrown away, so that a peer that goes on writing is not stuck. */
  private void ignoreInput(ChannelPromise promise) {
    if (!inputShutdown && !closed) {
      inputShutdown = true;
      stream.consumed(releaseInbound());
      pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
      closeIfOver();
    }
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
    unsafe().close(voidPromise());
  }

  private int releaseInbound() {
    return inbound == null ? 0 : inbound.release();
  }

  @Override
  protected void doClose() {
    closed = true;
    active = false;
    boolean clean = releaseInbound() == 0 && outputTaken;
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
    if (!active || failure != null || resetRequested || out == null) {
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
  public ChannelConfig config() {
    return config;
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
    unsafe().close(voidPromise());
  }
}
