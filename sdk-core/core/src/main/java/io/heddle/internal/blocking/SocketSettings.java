// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of one socket. They may be set before there is a channel; those that a channel can
 * honour are carried to it, the others are remembered and reported, because client libraries set
 * what they know without asking.
 */
final class SocketSettings {

  static final Set<SocketOption<?>> SUPPORTED =
      Set.of(
          StandardSocketOptions.SO_RCVBUF,
          StandardSocketOptions.SO_SNDBUF,
          StandardSocketOptions.SO_KEEPALIVE,
          StandardSocketOptions.SO_LINGER,
          StandardSocketOptions.SO_REUSEADDR,
          StandardSocketOptions.TCP_NODELAY,
          StandardSocketOptions.IP_TOS);

  /** The numbers of {@link SocketOptions} for the options of {@link StandardSocketOptions}. */
  private static final Map<SocketOption<?>, Integer> NUMBERS =
      Map.of(
          StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
          StandardSocketOptions.SO_SNDBUF, SocketOptions.SO_SNDBUF,
          StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
          StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
          StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY,
          StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS);

  private final BlockingByteChannel bytes;
  private final Map<Integer, Object> values = new ConcurrentHashMap<>();

  SocketSettings(BlockingByteChannel bytes) {
    this.bytes = bytes;
    values.put(SocketOptions.SO_TIMEOUT, 0);
    values.put(SocketOptions.SO_LINGER, BlockingByteChannel.LINGER_IN_BACKGROUND);
    values.put(SocketOptions.SO_RCVBUF, BlockingByteChannel.DEFAULT_BUFFER_BYTES);
    values.put(SocketOptions.SO_SNDBUF, BlockingByteChannel.DEFAULT_BUFFER_BYTES);
    values.put(SocketOptions.SO_KEEPALIVE, false);
    values.put(SocketOptions.SO_REUSEADDR, false);
    values.put(SocketOptions.SO_OOBINLINE, false);
    values.put(SocketOptions.IP_TOS, 0);
    // Not the JDK's default: small writes that wait for an acknowledgement cost 40 ms.
    values.put(SocketOptions.TCP_NODELAY, true);
  }

  /** As {@code java.net.Socket} sets it: a number and a value, switched off by {@code false}. */
  void set(int option, Object value) throws SocketException {
    Object known = values.get(option);
    if (known == null) {
      return;
    }
    Object meant = value;
    if (option == SocketOptions.SO_LINGER && Boolean.FALSE.equals(value)) {
      meant = BlockingByteChannel.LINGER_IN_BACKGROUND;
    }
    if (!known.getClass().isInstance(meant)) {
      throw new SocketException("socket option " + option + " cannot be " + value);
    }
    values.put(option, meant);
    apply(option);
  }

  @Nullable Object get(int option) {
    return values.get(option);
  }

  /** Options of other systems, or extended ones, are accepted and have no effect. */
  void set(SocketOption<?> option, @Nullable Object value) throws SocketException {
    if (option.equals(StandardSocketOptions.SO_LINGER) && value instanceof Integer seconds) {
      set(SocketOptions.SO_LINGER, Math.max(BlockingByteChannel.LINGER_IN_BACKGROUND, seconds));
    } else if (value != null && NUMBERS.containsKey(option)) {
      set(NUMBERS.get(option), value);
    }
  }

  @Nullable Object get(SocketOption<?> option) {
    if (option.equals(StandardSocketOptions.SO_LINGER)) {
      return get(SocketOptions.SO_LINGER);
    }
    Integer number = NUMBERS.get(option);
    return number == null ? null : get(number);
  }

  /** Carries what was set so far to the channel, once there is one. */
  void applyToChannel() {
    apply(SocketOptions.TCP_NODELAY);
    apply(SocketOptions.SO_KEEPALIVE);
    apply(SocketOptions.IP_TOS);
  }

  private void apply(int option) {
    switch (option) {
      case SocketOptions.SO_TIMEOUT -> bytes.readTimeoutMillis(number(option));
      case SocketOptions.SO_LINGER -> bytes.lingerSeconds(number(option));
      case SocketOptions.SO_RCVBUF -> bytes.receiveBufferBytes(number(option));
      case SocketOptions.SO_SNDBUF -> bytes.sendBufferBytes(number(option));
      case SocketOptions.TCP_NODELAY -> applyToChannel(ChannelOption.TCP_NODELAY, flag(option));
      case SocketOptions.SO_KEEPALIVE -> applyToChannel(ChannelOption.SO_KEEPALIVE, flag(option));
      case SocketOptions.IP_TOS -> {
        if (number(option) != 0) {
          applyToChannel(ChannelOption.IP_TOS, number(option));
        }
      }
      default -> {
        // Remembered only: without meaning for a channel that is already connected.
      }
    }
  }

  /** A channel that is no TCP connection answers that it has no such option: nothing to do. */
  private <T> void applyToChannel(ChannelOption<T> option, T value) {
    if (bytes.channel() != null) {
      ChannelConfig config = bytes.channel().config();
      config.setOption(option, value);
    }
  }

  private int number(int option) {
    return (Integer) values.getOrDefault(option, 0);
  }

  private boolean flag(int option) {
    return (Boolean) values.getOrDefault(option, false);
  }
}
