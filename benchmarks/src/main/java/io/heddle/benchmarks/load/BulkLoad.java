// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.heddle.benchmarks.contender.Contender;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;

/** One direction, from client to server, over standing connections that share the work. */
public final class BulkLoad implements AutoCloseable {

  private final Arrivals arrivals = new Arrivals();
  private final List<BulkSource> sources = new ArrayList<>();
  private final List<Channel> channels = new ArrayList<>();

  /**
   * Connects.
   *
   * @param chunk the size of each write
   */
  public BulkLoad(Contender contender, int connections, int chunk) throws InterruptedException {
    contender.serve(() -> new BulkSink(arrivals));
    for (int i = 0; i < connections; i++) {
      BulkSource source = new BulkSource(chunk);
      sources.add(source);
      channels.add(contender.connect(source));
    }
  }

  /** The connections. */
  public List<Channel> channels() {
    return channels;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  public Transfer run(long bytes) throws Exception {
    long each = bytes / channels.size();
    arrivals.expect(each * channels.size());
    Stopwatch watch = new Stopwatch();
    for (int i = 0; i < channels.size(); i++) {
      sources.get(i).send(channels.get(i), each);
    }
    return watch.transferred(each * channels.size(), arrivals.await());
  }

  @Override
  public void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
  }
}
