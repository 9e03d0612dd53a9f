// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a tunnel: those of every channel, and {@code ALLOW_HALF_CLOSURE}. */
final class TunnelChannelConfig extends DefaultChannelConfig {
  /** A tunnel allocates nothing to read into; the option must exist, one for all is enough. */
  private static final RecvByteBufAllocator UNUSED = new FixedRecvByteBufAllocator(1);

  /** Deep enough that a bulk writer fills a large DATA frame between two flushes. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(128 << 10, 256 << 10);

  private volatile boolean allowHalfClosure = true;

  TunnelChannelConfig(TunnelChannel channel, Channel parent) {
    super(channel, UNUSED);
    setAllocator(parent.alloc());
    setWriteBufferWaterMark(WATER_MARK);
  }

  boolean isAllowHalfClosure() {
    return allowHalfClosure;
  }

  @Override
  public Map<ChannelOption<?>, Object> getOptions() {
    return getOptions(super.getOptions(), ChannelOption.ALLOW_HALF_CLOSURE);
  }

  @SuppressWarnings("unchecked")
  @Override
  public <T> @Nullable T getOption(ChannelOption<T> option) {
    return option.equals(ChannelOption.ALLOW_HALF_CLOSURE)
        ? (T) Boolean.valueOf(allowHalfClosure)
        : super.getOption(option);
  }

  @Override
  public <T> boolean setOption(ChannelOption<T> option, T value) {
    if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
      validate(option, value);
      allowHalfClosure = (Boolean) value;
      return true;
    }
    return super.setOption(option, value);
  }

  @Override
  protected void autoReadCleared() {
    ((TunnelChannel) channel).autoReadCleared();
  }
}
