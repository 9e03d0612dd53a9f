// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.heddle.internal.state.WorkloadIndex;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an index in step with the control plane: connects, and connects again whenever the stream
 * ends, for as long as it takes. What was received stays and is served meanwhile; it is never aged.
 *
 * <p>Any thread may call. All else runs on one thread of its own, where the futures are completed
 * too: what depends on them must be quick.
 */
public final class AdsClient implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdsClient.class);

  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(10);

  private final Supplier<? extends ManagedChannel> channels;
  private final ProxyNode node;
  private final AdsLimits limits;
  private final Backoff backoff;
  private final LongSupplier nanoTime;
  private final ControlThread thread;
  private final ScheduledExecutorService scheduler;
  private final Map<ResourceType, Subscription> subscriptions = new EnumMap<>(ResourceType.class);
  private final @Nullable Demands demands;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  private volatile boolean closed;
  private volatile AdsStatus status;

  /** Control-plane thread only, as all below. */
  private boolean started;

  private @Nullable Connection connection;
  private @Nullable Future<?> nextAttempt;
  private boolean flushing;
  private long attempts;
  private @Nullable String lastError;

  AdsClient(AdsClientBuilder builder) {
    channels = builder.channels;
    node = builder.node;
    limits = builder.limits;
    nanoTime = builder.nanoTime;
    backoff = new Backoff(builder.firstDelay, builder.longestDelay, builder.random);
    thread = new ControlThread(builder.scheduler);
    scheduler = thread.scheduler();
    demands = builder.onDemand ? new Demands(limits.demands()) : null;
    WorkloadIndex index = builder.index;
    subscribe(builder, ResourceType.ADDRESS, new AddressSink(index, builder.random), demands);
    // Never on demand: a policy that no workload names may forbid everything.
    subscribe(builder, ResourceType.AUTHORIZATION, new AuthorizationSink(index), null);
    status = statusNow(AdsStatus.State.WAITING);
  }

  private void subscribe(
      AdsClientBuilder builder, ResourceType type, ResourceSink sink, @Nullable Demands names) {
    subscriptions.put(type, new Subscription(type, sink, limits, builder.random, names));
  }

  /**
   * Starts a client.
   *
   * @param channels asked for a channel before every connection, so that what it reads from files
   *     is read again; the client shuts the channel down when the connection ends
   * @param node who asks
   * @param index what is kept in step
   */
  public static AdsClientBuilder builder(
      Supplier<? extends ManagedChannel> channels, ProxyNode node, WorkloadIndex index) {
    return new AdsClientBuilder(channels, node, index);
  }

  /** Connects, now and whenever it has to. */
  public void start() {
    thread.execute(
        () -> {
          if (!started && !closed) {
            started = true;
            connect();
          }
        });
  }

  /**
   * Completes when every type that is subscribed to as a whole was answered and the answer
   * acknowledged, and fails when the client is closed before. It is never taken back.
   */
  public CompletableFuture<Void> ready() {
    return ready.copy();
  }

  /** How the connection stands. */
  public AdsStatus status() {
    return status;
  }

  /**
   * Asks for a workload or service by name, if addresses are subscribed to on demand: by a uid, by
   * {@code namespace/hostname}, or by {@code network/ip}.
   *
   * @param patience how long to wait for the answer
   * @return what became of it, once the index shows it
   * @throws IllegalStateException if everything is subscribed to anyway
   */
  public CompletableFuture<DemandOutcome> demand(String name, Duration patience) {
    Demands wanted = demands;
    if (wanted == null) {
      throw new IllegalStateException("this client subscribes to every workload and service");
    }
    CompletableFuture<DemandOutcome> outcome = new CompletableFuture<>();
    if (name.isEmpty() || name.length() > limits.nameLength()) {
      outcome.complete(DemandOutcome.ABSENT);
      return outcome;
    }
    thread.execute(() -> demand(wanted, name, patience, outcome));
    if (closed) {
      outcome.complete(DemandOutcome.CLOSED);
    }
    return outcome;
  }

  private void demand(
      Demands wanted, String name, Duration patience, CompletableFuture<DemandOutcome> outcome) {
    if (closed) {
      outcome.complete(DemandOutcome.CLOSED);
      return;
    }
    Subscription addresses = subscription(ResourceType.ADDRESS);
    if (wanted.add(name, outcome, addresses::holds)) {
      flushSoon();
    }
    if (!outcome.isDone()) {
      Future<?> timeout =
          scheduler.schedule(
              () -> {
                wanted.forget(name, outcome);
                outcome.complete(DemandOutcome.TIMED_OUT);
              },
              patience.toNanos(),
              TimeUnit.NANOSECONDS);
      CompletableFuture<DemandOutcome> unused =
          outcome.whenComplete((done, failure) -> timeout.cancel(false));
    }
  }

  /** Names that are wanted at one moment go in one request. */
  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      thread.execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    Connection now = connection;
    if (demands == null || now == null) {
      // The first request of the next stream has them all.
      return;
    }
    List<String> names = demands.takeUnsent(limits.requestBytes());
    if (!names.isEmpty()) {
      now.stream.subscribe(ResourceType.ADDRESS, names);
      flushSoon();
    }
  }

  private Subscription subscription(ResourceType type) {
    Subscription found = subscriptions.get(type);
    if (found == null) {
      throw new IllegalStateException(type + " is not subscribed to");
    }
    return found;
  }

  /**
   * Ends the connection for good. Unless called from a listener of the index, it returns when
   * nothing more will be applied.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    thread.close(this::shutDown, CLOSING_PATIENCE);
  }

  private void shutDown() {
    Future<?> attempt = nextAttempt;
    if (attempt != null) {
      attempt.cancel(false);
    }
    Connection now = connection;
    if (now != null) {
      now.stream.cancel(Status.CANCELLED.withDescription("the client was closed"));
    }
    if (demands != null) {
      demands.close();
    }
    status = statusNow(AdsStatus.State.CLOSED);
    ready.completeExceptionally(new IllegalStateException("the control-plane client was closed"));
  }

  private void connect() {
    nextAttempt = null;
    if (closed) {
      return;
    }
    attempts++;
    status = statusNow(AdsStatus.State.CONNECTING);
    ManagedChannel channel;
    try {
      channel = channels.get();
    } catch (RuntimeException e) {
      retry("no channel to the control plane: " + e, false);
      return;
    }
    CallOptions options =
        CallOptions.DEFAULT
            .withExecutor(scheduler)
            .withMaxInboundMessageSize(limits.messageBytes());
    Connection now = new Connection(channel, options);
    connection = now;
    now.open();
  }

  private void retry(String reason, boolean routine) {
    if (closed) {
      return;
    }
    Duration delay = backoff.next();
    lastError = routine ? null : reason;
    status = statusNow(AdsStatus.State.WAITING);
    if (routine) {
      LOG.info("control plane stream ended ({}); next in {} ms", reason, delay.toMillis());
    } else {
      LOG.warn(
          "control plane lost: {}; the state is kept, next attempt in {} ms",
          reason,
          delay.toMillis());
    }
    nextAttempt = scheduler.schedule(this::connect, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private AdsStatus statusNow(AdsStatus.State state) {
    Map<ResourceType, AdsStatus.Type> types = new EnumMap<>(ResourceType.class);
    subscriptions.forEach((type, subscription) -> types.put(type, subscription.status()));
    return new AdsStatus(state, attempts, lastError, types);
  }

  /** One channel and the stream on it. */
  private final class Connection implements DeltaStream.Events {

    private final ManagedChannel channel;
    private final DeltaStream stream;
    private final long begun = nanoTime.getAsLong();

    Connection(ManagedChannel channel, CallOptions options) {
      this.channel = channel;
      this.stream = new DeltaStream(channel, options, subscriptions, this);
    }

    void open() {
      stream.open(node.message());
      watch(0);
      flushSoon();
    }

    /** A server that accepts and stays silent is left: another one may speak. */
    private void watch(long responses) {
      Future<?> unused =
          scheduler.schedule(
              () -> look(responses), limits.silence().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look(long responses) {
      if (connection != this || stream.isAnswered()) {
        return;
      }
      if (stream.responses() > responses) {
        watch(stream.responses());
      } else {
        stream.cancel(
            Status.DEADLINE_EXCEEDED.withDescription(
                "no answer from the control plane within " + limits.silence()));
      }
    }

    @Override
    public void applied(Subscription subscription, Rejections rejections) {
      if (rejections.count() > 0) {
        LOG.warn(
            "{} resources of type {} were rejected, what was known of them stays: {}",
            rejections.count(),
            subscription.type(),
            rejections.text());
      }
      boolean answered = stream.isAnswered();
      status = statusNow(answered ? AdsStatus.State.CONNECTED : AdsStatus.State.CONNECTING);
      if (subscriptions.values().stream().allMatch(AdsClient::isReady)) {
        ready.complete(null);
      }
    }

    @Override
    public void ended(DeltaStream ended, StreamEnd end) {
      connection = null;
      boolean proved =
          stream.isAnswered() && nanoTime.getAsLong() - begun >= limits.proof().toNanos();
      subscriptions.values().forEach(Subscription::streamEnded);
      channel.shutdownNow();
      if (proved) {
        backoff.reset();
      }
      retry(end.diagnosis(), end.isRoutine());
    }
  }

  private static boolean isReady(Subscription subscription) {
    return subscription.isAcknowledged() || !subscription.isWildcard();
  }
}
