// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.internal.relay.ChannelReset;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The bridge below the socket: memory, interrupts, ownership of buffers. */
class BlockingByteChannelTest {

  private static final int MIB = 1024 * 1024;

  private static TcpConnector tcp;

  @BeforeAll
  static void startLoops() {
    tcp = TcpConnector.nio();
  }

  @AfterAll
  static void stopLoops() throws InterruptedException {
    tcp.close();
  }

  private static BlockingByteChannel connect(Origin origin) throws Exception {
    BlockingByteChannel bytes = new BlockingByteChannel(ChannelReset.ofTcp());
    connect(bytes, origin);
    return bytes;
  }

  private static DuplexChannel connect(BlockingByteChannel bytes, Origin origin) throws Exception {
    return tcp.connect("origin", InetAddress.getLoopbackAddress(), origin.port(), bytes.handler())
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("B033 what is read ahead stays within the receive buffer and one more read")
  void readAheadIsBounded() throws Exception {
    AtomicLong delivered = new AtomicLong();
    CountDownLatch stuck = new CountDownLatch(1);
    AtomicLong taken = new AtomicLong();
    try (Origin origin =
            Origin.serving(peer -> Bytes.send(peer.getOutputStream(), 32L * MIB, taken));
        BlockingByteChannel bytes = new BlockingByteChannel(ChannelReset.ofTcp())) {
      bytes.receiveBufferBytes(100_000);
      DuplexChannel channel = connect(bytes, origin);
      channel.pipeline().addFirst(new CountingHandler(delivered));
      long before;
      do {
        before = taken.get();
        assertThat(stuck.await(250, TimeUnit.MILLISECONDS)).isFalse();
      } while (taken.get() == 0 || taken.get() != before);

      // The receive buffer, and one read of at most 64 KiB.
      assertThat(delivered.get()).isLessThanOrEqualTo(100_000 + 64 * 1024);
    }
  }

  private static final class CountingHandler extends ChannelInboundHandlerAdapter {
    private final AtomicLong bytes;

    CountingHandler(AtomicLong bytes) {
      this.bytes = bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      bytes.addAndGet(((ByteBuf) message).readableBytes());
      context.fireChannelRead(message);
    }
  }

  @Test
  void unreadBuffersAreReleasedOnClose() throws Exception {
    Queue<ByteBuf> seen = new ConcurrentLinkedQueue<>();
    CountDownLatch watched = new CountDownLatch(1);
    try (Origin origin =
        Origin.serving(
            peer -> {
              watched.await();
              Bytes.send(peer.getOutputStream(), MIB);
            })) {
      BlockingByteChannel bytes = connect(origin);
      DuplexChannel channel = bytes.channel();
      channel.pipeline().addFirst(new RememberingHandler(seen));
      watched.countDown();
      assertThat(bytes.input().readNBytes(200_000)).hasSize(200_000);

      bytes.close();

      assertThat(channel.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(seen).isNotEmpty().allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }
  }

  private static final class RememberingHandler extends ChannelInboundHandlerAdapter {
    private final Queue<ByteBuf> seen;

    RememberingHandler(Queue<ByteBuf> seen) {
      this.seen = seen;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      seen.add((ByteBuf) message);
      context.fireChannelRead(message);
    }
  }

  @Test
  void oneReadIsServedFromSeveralBuffers() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  Bytes.send(peer.getOutputStream(), 200_000);
                  written.await();
                });
        BlockingByteChannel bytes = connect(origin)) {
      // All but the first byte is here, in more than one buffer of at most 64 KiB.
      assertThat(bytes.input().read()).isZero();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (bytes.input().available() < 199_999) {
        assertThat(System.nanoTime()).isLessThan(end);
        Thread.onSpinWait();
      }

      assertThat(bytes.input().read(new byte[300_000])).isEqualTo(199_999);
      written.countDown();
    }
  }

  @Test
  void interruptOfAPlatformThreadIsKeptAndDoesNotEndTheRead() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  mayAnswer.await();
                  peer.getOutputStream().write(5);
                });
        BlockingByteChannel bytes = connect(origin)) {
      CompletableFuture<Integer> read = new CompletableFuture<>();
      CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
      Thread reader =
          new Thread(
              () -> {
                try {
                  read.complete(bytes.input().read());
                } catch (IOException failed) {
                  read.completeExceptionally(failed);
                }
                stillInterrupted.complete(Thread.currentThread().isInterrupted());
              });
      reader.start();
      reader.interrupt();

      mayAnswer.countDown();

      assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(5);
      assertThat(stillInterrupted.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void interruptOfAVirtualThreadClosesTheSocket() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (Origin origin = Origin.serving(peer -> over.await());
        BlockingByteChannel bytes = connect(origin)) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread reader =
          (Thread)
              Thread.class
                  .getMethod("startVirtualThread", Runnable.class)
                  .invoke(
                      null,
                      (Runnable) () -> failure.set(catchThrowable(() -> bytes.input().read())));

      reader.interrupt();
      reader.join();

      assertThat(failure.get())
          .isInstanceOf(SocketException.class)
          .hasMessage("Closed by interrupt");
      assertThat(bytes.isClosed()).isTrue();
      over.countDown();
    }
  }

  @Test
  void closedStreamsRefuse() throws Exception {
    try (Origin origin = Origin.serving(peer -> peer.getInputStream().read())) {
      BlockingByteChannel bytes = connect(origin);
      bytes.close();

      assertThatThrownBy(() -> bytes.input().read()).hasMessage("Socket closed");
      assertThatThrownBy(() -> bytes.output().write(1)).hasMessage("Socket closed");
    }
  }

  @Test
  void bytesThatCameBeforeAFailureAreReadBeforeIt() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    IOException failure = new IOException("stream reset with code 8");
    try (Origin origin = Origin.serving(peer -> over.await());
        BlockingByteChannel bytes = connect(origin)) {
      ChannelPipeline pipeline = bytes.channel().pipeline();
      pipeline
          .channel()
          .eventLoop()
          .submit(
              () -> {
                pipeline.fireChannelRead(pipeline.channel().alloc().buffer().writeByte(7));
                pipeline.fireExceptionCaught(failure);
              })
          .sync();

      assertThat(bytes.input().read()).isEqualTo(7);
      assertThatThrownBy(() -> bytes.input().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset: stream reset with code 8")
          .hasCause(failure);
      over.countDown();
    }
  }
}
