// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.parts;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a tunnel adds to bytes on their way: flow control, DATA frames, the channel. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TunnelDataBenchmark {

  /** How many bytes at a time. */
  @Param({"1024", "65536"})
  public int bytes = 1024;

  private final EmbeddedTunnel tunnel = new EmbeddedTunnel();
  private ByteBuf payload = Unpooled.EMPTY_BUFFER;
  private ByteBuf frame = Unpooled.EMPTY_BUFFER;

  @Setup
  public void fill() {
    payload = Unpooled.directBuffer(bytes).writeZero(bytes);
    frame = EmbeddedTunnel.data(bytes);
  }

  @Benchmark
  public void write() {
    tunnel.send(payload.retainedDuplicate());
  }

  @Benchmark
  public void read() {
    tunnel.receive(frame.retainedDuplicate());
  }

  @TearDown
  public void close() {
    tunnel.close();
    payload.release();
    frame.release();
  }
}
