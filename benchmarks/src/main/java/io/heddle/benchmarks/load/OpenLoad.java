// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.heddle.benchmarks.contender.Contender;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Connections opened and closed, several at a time. One counts when it has reached the server's
 * application and is closed again at the client.
 */
public final class OpenLoad {

  private final Contender contender;
  private final Supplier<ChannelHandler> client;
  private final Arrivals closed = new Arrivals();
  private final Arrivals delivered = new Arrivals();
  private final AtomicInteger toOpen = new AtomicInteger();

  private OpenLoad(
      Contender contender,
      Supplier<ChannelHandler> client,
      Function<Arrivals, ChannelHandler> server)
      throws InterruptedException {
    this.contender = contender;
    this.client = client;
    contender.serve(() -> server.apply(delivered));
  }

  /**
   * Handshakes: the server cuts the connection as soon as it has verified the client, without
   * ceremony, for this is the cheapest there is.
   */
  public static OpenLoad handshakes(Contender contender) throws InterruptedException {
    return new OpenLoad(contender, Endings.Patient::new, Endings.Cutting::new);
  }

  /** Tunnels: the client ends its direction, then the server's application does. */
  public static OpenLoad tunnels(Contender contender) throws InterruptedException {
    return new OpenLoad(contender, Endings.EndingFirst::new, Endings.EndingSecond::new);
  }

  /** How many a second. */
  public double run(int connections, int concurrency) throws Exception {
    closed.expect(connections);
    delivered.expect(connections);
    toOpen.set(connections);
    Stopwatch watch = new Stopwatch();
    for (int i = 0; i < concurrency; i++) {
      openNext();
    }
    double seconds = watch.seconds(closed.await());
    delivered.await();
    return connections / seconds;
  }

  private void openNext() {
    if (toOpen.getAndDecrement() <= 0) {
      return;
    }
    Future<? extends Channel> opening = contender.open(client.get());
    opening.addListener(
        done -> {
          if (!done.isSuccess()) {
            closed.fail(done.cause());
            return;
          }
          opening.getNow().closeFuture().addListener(ended -> closedOne());
        });
  }

  private void closedOne() {
    closed.add(1);
    openNext();
  }
}
