// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboundQueueTest {
  private static final int RECORDS = 256 << 10;

  private final InboundQueue queue = new InboundQueue();

  private static ByteBuf random(int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    return Unpooled.directBuffer(bytes).writeBytes(content);
  }

  @ParameterizedTest(name = "{0} bytes of a large buffer wait without the rest of it")
  @ValueSource(ints = {1, 2_047, 2_048, 16_384, 100_000})
  @DisplayName("small parts")
  void smallPart(int size) {
    ByteBuf large = random(RECORDS);
    ByteBuf expected = Unpooled.copiedBuffer(large.slice(7, size));
    queue.add(large.slice(7, size), ByteBufAllocator.DEFAULT);
    assertThat(large.release()).as("the large buffer is free").isTrue();

    ByteBuf waiting = queue.poll();
    assertThat(waiting).isEqualTo(expected);
    waiting.release();
    expected.release();
  }

  @ParameterizedTest(name = "{0} bytes that are most of their buffer wait without a copy")
  @ValueSource(ints = {2_048, 16_384, RECORDS})
  @DisplayName("large parts")
  void largePart(int size) {
    ByteBuf arrived = random(size);
    queue.add(arrived.slice(), ByteBufAllocator.DEFAULT);
    assertThat(arrived.refCnt()).isEqualTo(2);

    ByteBuf waiting = queue.poll();
    assertThat(waiting.memoryAddress()).isEqualTo(arrived.memoryAddress());
    waiting.release();
    arrived.release();
  }
}
