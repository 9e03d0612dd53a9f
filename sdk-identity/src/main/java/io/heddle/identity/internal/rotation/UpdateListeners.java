// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SvidSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one source. They run one at a time and never on the thread that delivers
 * updates; whoever is slow skips what was replaced meanwhile and sees the latest.
 */
final class UpdateListeners {

  private static final Logger log = LoggerFactory.getLogger(UpdateListeners.class);

  private final String source;
  private final Executor executor;
  private final List<Place> places = new CopyOnWriteArrayList<>();

  /** Updates that no pass over the listeners has seen yet; whoever raises it from 0 starts one. */
  private final AtomicInteger unseen = new AtomicInteger();

  private volatile @Nullable IdentitySnapshot latest;

  UpdateListeners(String source, Executor executor) {
    this.source = source;
    this.executor = executor;
  }

  SvidSource.Registration add(Consumer<IdentitySnapshot> listener) {
    long known = version(latest);
    Place place = new Place(listener, known);
    places.add(place);
    if (version(latest) > known) {
      // Published between the two lines above, when perhaps nobody was there to be told.
      startDelivery();
    }
    return place;
  }

  void tell(IdentitySnapshot snapshot) {
    latest = snapshot;
    if (!places.isEmpty()) {
      startDelivery();
    }
  }

  private void startDelivery() {
    if (unseen.getAndIncrement() == 0) {
      try {
        executor.execute(this::deliver);
      } catch (RejectedExecutionException e) {
        unseen.set(0);
        log.warn("{}: the executor for listeners refuses work; they miss an update", source, e);
      }
    }
  }

  void close() {
    places.forEach(Place::close);
  }

  private void deliver() {
    int seen = unseen.get();
    do {
      for (Place place : places) {
        IdentitySnapshot snapshot = latest;
        if (snapshot != null) {
          place.deliver(snapshot);
        }
      }
      seen = unseen.addAndGet(-seen);
    } while (seen != 0);
  }

  private static long version(@Nullable IdentitySnapshot snapshot) {
    return snapshot == null ? 0 : snapshot.version();
  }

  /** One listener, and the last version it has seen; that is confined to the running pass. */
  private final class Place implements SvidSource.Registration {

    private final Consumer<IdentitySnapshot> listener;
    private long seen;
    private volatile boolean closed;

    Place(Consumer<IdentitySnapshot> listener, long seen) {
      this.listener = listener;
      this.seen = seen;
    }

    void deliver(IdentitySnapshot snapshot) {
      if (closed || snapshot.version() <= seen) {
        return;
      }
      seen = snapshot.version();
      try {
        listener.accept(snapshot);
      } catch (Throwable e) {
        // The border to somebody else's code: whatever it throws must hurt neither the other
        // listeners nor the source.
        log.warn("{}: a listener failed on update {}", source, snapshot.version(), e);
      }
    }

    @Override
    public void close() {
      closed = true;
      places.remove(this);
    }
  }
}
