// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.TunnelException;
import io.heddle.spi.HostResolver;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up beside the event loops. Who asks for a name that is being looked up waits for
 * the same answer, so that one slow name occupies one thread, and nobody waits longer than allowed.
 * Thread-safe.
 */
public final class HostLookup implements AutoCloseable {

  private final HostResolver resolver;
  private final ExecutorService threads;
  private final Duration patience;
  private final ConcurrentMap<String, Promise<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  /**
   * Looks up by a resolver.
   *
   * @param resolver may block
   * @param threads runs it; rejects when too many names wait; shut down with this
   * @param patience how long an answer is waited for
   */
  public HostLookup(HostResolver resolver, ExecutorService threads, Duration patience) {
    this.resolver = resolver;
    this.threads = threads;
    this.patience = patience;
  }

  /**
   * The addresses of a name.
   *
   * @return at least one, or a failure with an {@code UnknownHostException} or a {@code
   *     RouteRefusedException}; notified on the loop
   */
  Future<List<InetAddress>> addresses(String hostname, EventLoop loop) {
    Promise<List<InetAddress>> result = loop.newPromise();
    Future<?> deadline =
        loop.schedule(
            () -> result.tryFailure(tooSlow(hostname)), patience.toNanos(), TimeUnit.NANOSECONDS);
    result.addListener(done -> deadline.cancel(false));
    lookUp(hostname)
        .addListener(
            (Future<List<InetAddress>> found) -> {
              if (found.isSuccess()) {
                result.trySuccess(found.getNow());
              } else {
                result.tryFailure(found.cause());
              }
            });
    return result;
  }

  private Future<List<InetAddress>> lookUp(String hostname) {
    Promise<List<InetAddress>> mine = OutboundConnector.newPromise();
    Promise<List<InetAddress>> theirs = underWay.putIfAbsent(hostname, mine);
    if (theirs != null) {
      return theirs;
    }
    mine.addListener(done -> underWay.remove(hostname, mine));
    try {
      threads.execute(() -> resolve(hostname, mine));
    } catch (RejectedExecutionException e) {
      mine.tryFailure(threads.isShutdown() ? closed() : tooMany(hostname));
    }
    return mine;
  }

  private void resolve(String hostname, Promise<List<InetAddress>> result) {
    try {
      List<InetAddress> addresses = resolver.resolve(hostname);
      if (addresses.isEmpty()) {
        throw new UnknownHostException(hostname + " has no address");
      }
      result.trySuccess(List.copyOf(addresses));
    } catch (UnknownHostException | RuntimeException e) {
      result.tryFailure(e);
    }
  }

  /** Nobody waits any longer. */
  @Override
  public void close() {
    threads.shutdown();
    underWay.values().forEach(waiting -> waiting.tryFailure(closed()));
    // Only now, so that nobody is told of the interruption.
    threads.shutdownNow();
  }

  private static TunnelException.Closed closed() {
    return new TunnelException.Closed("this mesh is closed");
  }

  private static RouteRefusedException tooMany(String hostname) {
    return new RouteRefusedException(
        "too many host names wait for the resolver to look up " + hostname,
        "check the name servers of this host");
  }

  private RouteRefusedException tooSlow(String hostname) {
    return new RouteRefusedException(
        "the resolver did not answer for " + hostname + " within " + patience,
        "check the name servers of this host");
  }
}
