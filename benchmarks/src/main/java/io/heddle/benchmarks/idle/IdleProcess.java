// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.idle;

import io.heddle.Mesh;
import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.SdkMeters;
import io.heddle.netty.MeshChannels;
import io.heddle.opentelemetry.IstioTcpMetrics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One end of idle tunnels, in a process that holds nothing else. It obeys lines on its standard
 * input: {@code open N} opens tunnels (the client's end), {@code measure} prints the bytes in use;
 * the end of the input ends it.
 */
public final class IdleProcess {

  private static final int AT_ONCE = 128;
  private static final int LIMIT_SECONDS = 60;
  private static final int PORT = 8080;

  private final MeshChannels channels;

  /** Held, so that none is collected. */
  private final ConcurrentLinkedQueue<Channel> tunnels = new ConcurrentLinkedQueue<>();

  private IdleProcess(MeshChannels channels) {
    this.channels = channels;
  }

  /**
   * Runs one end.
   *
   * @param args {@code client} or {@code server}, and the folder of the shared authority
   * @throws Exception when the end cannot be run; the parent sees the exit
   */
  public static void main(String[] args) throws Exception {
    String role = args[0];
    try (SdkMeters meters = new SdkMeters();
        IstioTcpMetrics metrics = IstioTcpMetrics.of(meters.openTelemetry());
        Mesh mesh =
            Mesh.builder()
                .localConfiguration(MeshPair.YAML)
                .workload("bench/" + role + "/" + role)
                .developmentDirectory(Path.of(args[1]))
                .telemetry(metrics)
                .drainPeriod(Duration.ofMillis(1))
                .start()) {
      IdleProcess process = new IdleProcess(MeshChannels.of(mesh));
      if (role.equals("server")) {
        process.channels.expose(PORT, peer -> new Idle());
      }
      process.obey();
    }
  }

  private void obey() throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("open")) {
        open(Integer.parseInt(words[1]));
        System.out.println(tunnels.size());
      } else {
        MemoryUse use = MemoryUse.now();
        System.out.println(use.heap() + " " + use.direct());
      }
    }
  }

  private void open(int count) throws Exception {
    Semaphore free = new Semaphore(AT_ONCE);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < count; i++) {
      acquire(free, 1);
      Future<DuplexChannel> opening = channels.connect("127.0.20.2", PORT, new Idle());
      opening.addListener(
          done -> {
            if (done.isSuccess()) {
              tunnels.add(opening.getNow());
            } else {
              failure.set(done.cause());
            }
            free.release();
          });
    }
    acquire(free, AT_ONCE);
    if (failure.get() != null) {
      throw new IllegalStateException("a tunnel could not be opened", failure.get());
    }
  }

  private static void acquire(Semaphore free, int permits) throws InterruptedException {
    if (!free.tryAcquire(permits, LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("tunnels do not open");
    }
  }

  /** An application that waits. */
  @Sharable
  private static final class Idle extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // The other end's process was ended, with all its tunnels.
    }
  }
}
