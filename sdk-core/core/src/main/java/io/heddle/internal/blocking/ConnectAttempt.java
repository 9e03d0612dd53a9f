// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One connect, waited for by one thread: ends with a channel, a failure, a time-out or a close. */
final class ConnectAttempt {

  private sealed interface Result {
    record Connected(DuplexChannel channel) implements Result {}

    /** By the connector, with its own reason. */
    record Failed(@Nullable Throwable cause) implements Result {}

    /** By this side, while the connector was still at it. */
    record GivenUp(IOException reason) implements Result {}
  }

  private final ByteChannelConnector connector;
  private final BlockingByteChannel bytes;
  private final AtomicReference<@Nullable Result> result = new AtomicReference<>();
  private final WaitingThread waiter;

  ConnectAttempt(ByteChannelConnector connector, BlockingByteChannel bytes) {
    this.connector = connector;
    this.bytes = bytes;
    this.waiter = new WaitingThread(this::interrupted);
  }

  /**
   * Connects, or fails as a socket would: {@code SocketTimeoutException} after the time, else
   * {@code ConnectException}, with the connector's own exception as cause.
   *
   * @param timeoutMillis 0 for no limit but the connector's own
   */
  DuplexChannel await(String host, @Nullable InetAddress resolved, int port, int timeoutMillis)
      throws IOException {
    refuseEventLoops();
    start(host, resolved, port);
    if (!waiter.await(() -> result.get() != null, TimeUnit.MILLISECONDS.toNanos(timeoutMillis))) {
      String late = "Connect timed out after " + timeoutMillis + " ms: " + host + ":" + port;
      end(new Result.GivenUp(new SocketTimeoutException(late)));
    }
    Result ended = Objects.requireNonNull(result.get());
    if (ended instanceof Result.Connected connected && connected.channel() == bytes.channel()) {
      return connected.channel();
    }
    bytes.reset();
    if (ended instanceof Result.Failed failed) {
      throw asSocketFailure(failed.cause());
    }
    if (ended instanceof Result.GivenUp givenUp) {
      throw givenUp.reason();
    }
    throw new IllegalStateException("the connector did not install the handler it was given");
  }

  /** The application closed the socket: the waiting thread ends now. Any thread. */
  void giveUp() {
    end(new Result.GivenUp(new SocketException("Socket closed")));
  }

  private void interrupted() {
    giveUp();
    bytes.reset();
  }

  private void start(String host, @Nullable InetAddress resolved, int port) {
    try {
      var unused =
          connector
              .connect(host, resolved, port, bytes.handler())
              .whenComplete((channel, failure) -> connected(channel, failure));
    } catch (RuntimeException refusedAtOnce) {
      end(new Result.Failed(refusedAtOnce));
    }
  }

  private void connected(@Nullable DuplexChannel channel, @Nullable Throwable failure) {
    if (channel == null) {
      end(new Result.Failed(failure));
    } else if (!end(new Result.Connected(channel))) {
      var unused = channel.close();
    }
  }

  private boolean end(Result ended) {
    boolean first = result.compareAndSet(null, ended);
    waiter.wake();
    return first;
  }

  /**
   * Which loop the connector will use is not known yet, so all of them are refused; executors that
   * are made for blocking handlers are not event loops.
   */
  private static void refuseEventLoops() {
    if (ThreadExecutorMap.currentExecutor() instanceof EventLoop loop) {
      throw new IllegalStateException(
          "blocking connect on event loop "
              + loop
              + " could wait for itself;"
              + " use an application thread");
    }
  }

  private static IOException asSocketFailure(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException wrapper && wrapper.getCause() != null
            ? wrapper.getCause()
            : failure;
    String message = cause == null ? null : cause.getMessage();
    String reason = message == null ? "no channel: " + cause : message;
    boolean late =
        cause instanceof ConnectTimeoutException
            || cause instanceof SocketTimeoutException
            || cause instanceof TimeoutException;
    IOException mapped = late ? new SocketTimeoutException(reason) : new ConnectException(reason);
    mapped.initCause(cause);
    return mapped;
  }
}
