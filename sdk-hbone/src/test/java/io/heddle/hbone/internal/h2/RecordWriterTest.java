// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordWriterTest {

  private final RecordWriter records = new RecordWriter();
  private final Flushes flushes = new Flushes();
  private final EmbeddedChannel channel = new EmbeddedChannel(flushes, records);

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void smallWritesShareOneRecord() {
    channel.write(bytes('a', 10));
    channel.write(bytes('b', 20));

    channel.flush();

    assertThat(written()).containsExactly("a".repeat(10) + "b".repeat(20));
  }

  @Test
  void oneRecordIsNeverLargerThanTlsAllows() {
    for (int i = 0; i < 9; i++) {
      channel.write(bytes((char) ('a' + i), 4096));
    }

    channel.flush();

    assertThat(written()).extracting(String::length).containsExactly(4 * 4096, 4 * 4096, 4096);
  }

  @Test
  void largeWritePassesAsItIsAndInItsPlace() {
    ByteBuf large = bytes('L', 5000);
    channel.write(bytes('a', 1));
    channel.write(large);
    channel.write(bytes('b', 1));

    channel.flush();

    assertThat((ByteBuf) channel.readOutbound()).returns(1, RecordWriterTest::releasedLength);
    assertThat((ByteBuf) channel.readOutbound()).isSameAs(large);
    large.release();
    assertThat(written()).containsExactly("b");
  }

  @Test
  void roomKeepsItsPlaceAmongWrites() {
    channel.write(bytes('a', 1));
    records.room(3).writeBytes(new byte[] {'r', 'r', 'r'});
    channel.write(bytes('b', 1));

    channel.flush();

    assertThat(written()).containsExactly("arrrb");
  }

  @Test
  void recordIsFilledAgainOnlyWhenNobodyHoldsIt() {
    channel.write(bytes('a', 8));
    channel.flush();
    ByteBuf first = channel.readOutbound();
    channel.write(bytes('b', 8));
    channel.flush();
    ByteBuf second = channel.readOutbound();

    assertThat(second).isNotSameAs(first);
    assertThat(first.readableBytes()).isEqualTo(8);
    assertThat(first.getByte(0)).isEqualTo((byte) 'a');

    second.release();
    channel.write(bytes('c', 8));
    channel.flush();
    ByteBuf third = channel.readOutbound();
    assertThat(third).as("the second, filled again").isSameAs(second);
    first.release();
    third.release();
  }

  @Test
  void promiseOfSmallWriteIsKeptWhenItsRecordIsWritten() {
    ChannelFuture write = channel.write(bytes('a', 1));
    assertThat(write.isDone()).isFalse();

    channel.flush();

    assertThat(write.isSuccess()).isTrue();
    assertThat(written()).containsExactly("a");
  }

  @Test
  void whatWasNeverFlushedFailsWithTheChannel() {
    ChannelFuture write = channel.write(bytes('a', 1));

    channel.close();

    assertThat(write.cause()).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void whoWritesAgainWhenAWriteFailsLeavesNothingBehind() {
    ByteBuf lastWords = bytes('z', 1);
    ChannelFuture first = channel.write(bytes('a', 1));
    ChannelHandlerContext context = channel.pipeline().context(records);
    ChannelPromise second = channel.newPromise();
    first.addListener(
        failed -> {
          records.room(1).writeByte('r');
          records.write(context, lastWords, second);
          records.flush(context);
        });

    channel.close();

    channel.checkException();
    assertThat(second.cause()).isInstanceOf(ClosedChannelException.class);
    assertThat(lastWords.refCnt()).isZero();
  }

  @Test
  void flushWithoutWritesGoesNoFurther() {
    channel.write(bytes('a', 1));
    channel.flush();
    channel.flush();
    channel.flush();

    assertThat(flushes.count).isEqualTo(1);
    assertThat(written()).containsExactly("a");
  }

  private static ByteBuf bytes(char fill, int length) {
    return Unpooled.copiedBuffer(String.valueOf(fill).repeat(length), US_ASCII);
  }

  private List<String> written() {
    List<String> all = new ArrayList<>();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      all.add(next.toString(US_ASCII));
      next.release();
    }
    return all;
  }

  private static int releasedLength(ByteBuf buffer) {
    int length = buffer.readableBytes();
    buffer.release();
    return length;
  }

  private static final class Flushes extends ChannelOutboundHandlerAdapter {
    private int count;

    @Override
    public void flush(ChannelHandlerContext ctx) {
      count++;
      ctx.flush();
    }
  }
}
