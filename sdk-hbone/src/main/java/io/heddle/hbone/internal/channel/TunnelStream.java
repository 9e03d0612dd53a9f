// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

/** What a {@link TunnelChannel} asks of the stream below it. Event loop only. */
public interface TunnelStream {

  /** Bytes were handed to the pipeline: the peer may send as many more. */
  void consumed(int bytes);

  /** Flushed bytes, or the end of the output, wait in the channel. Called once or often. */
  void outputReady();

  /** Takes what waits in the channel as far as flow control allows, now instead of soon. */
  void takeOutputNow();

  /**
   * The channel is closed: finishes or cuts whatever half of the stream is still open.
   *
   * @param how in what state the channel left its two halves
   */
  void channelClosed(Ending how);

  /** How a channel ended. */
  enum Ending {
    /** Everything written was taken and nothing received was thrown away. */
    CLEAN,
    /** Bytes of either direction are lost. */
    LOSSY,
    /** On purpose, with an error for the peer to see. */
    RESET
  }
}
