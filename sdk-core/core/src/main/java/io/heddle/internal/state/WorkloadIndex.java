// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.policy.UnknownPolicies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the state of the mesh: batches go in, snapshots come out.
 *
 * <p>A batch is applied to the side and published by one write, so a reader sees all of it or
 * nothing. Batches of several threads are applied one after the other; readers never wait for them.
 */
public final class WorkloadIndex {

  private static final Logger log = LoggerFactory.getLogger(WorkloadIndex.class);

  private final MeshSnapshot empty;
  private final ReentrantLock writing = new ReentrantLock();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile MeshSnapshot current;

  /**
   * Makes an empty index.
   *
   * @param ownCluster the cluster whose workload is preferred where two clusters claim one address,
   *     or empty
   * @param unknownPolicies what happens while a policy that a workload names is missing
   */
  public WorkloadIndex(String ownCluster, UnknownPolicies unknownPolicies) {
    empty = MeshSnapshot.empty(ownCluster, unknownPolicies);
    current = empty;
  }

  /** What is known now. */
  public MeshSnapshot current() {
    return current;
  }

  /**
   * Applies a batch and publishes the result, once; an empty batch publishes nothing.
   *
   * @return what is known now
   */
  public MeshSnapshot apply(UpdateBatch batch) {
    if (batch.isEmpty()) {
      return current;
    }
    writing.lock();
    try {
      MeshSnapshot former = current;
      StateEditor editor = (batch.replacing() ? empty : former).edit();
      batch.removals().forEach(editor::remove);
      editor.reserve(batch.addresses().size());
      batch.addresses().forEach(editor::put);
      if (batch.changesPolicies()) {
        editor.changePolicies(batch.policies(), batch.policyRemovals());
      }
      MeshSnapshot next = editor.finish(former.version() + 1);
      current = next;
      tell(former, next);
      return next;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Has a listener told of every publication from now on, in order, until the registration is
   * closed.
   */
  public Registration onPublish(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Waits for a workload to become known, without a thread.
   *
   * @param info how the workload names itself
   * @param patience how long to wait
   * @param scheduler where the wait ends in vain
   * @return the workload, or a failure with {@link UnknownWorkloadException}
   */
  public CompletableFuture<Workload> await(
      WorkloadInfo info, Duration patience, ScheduledExecutorService scheduler) {
    CompletableFuture<Workload> found = new CompletableFuture<>();
    Registration registration = onPublish((former, next) -> complete(found, info, next));
    // After registering: what is published in between is seen by one of the two.
    complete(found, info, current);
    if (found.isDone()) {
      registration.close();
      return found;
    }
    Future<?> timeout =
        scheduler.schedule(
            () -> found.completeExceptionally(new UnknownWorkloadException(info, patience)),
            patience.toNanos(),
            TimeUnit.NANOSECONDS);
    return found.whenComplete(
        (workload, failure) -> {
          registration.close();
          timeout.cancel(false);
        });
  }

  private static void complete(
      CompletableFuture<Workload> found, WorkloadInfo info, MeshSnapshot snapshot) {
    Workload workload = snapshot.workload(info);
    if (workload != null) {
      found.complete(workload);
    }
  }

  private void tell(MeshSnapshot former, MeshSnapshot next) {
    for (Listener listener : listeners) {
      try {
        listener.published(former, next);
      } catch (RuntimeException failure) {
        // One listener's fault must not keep the others, or the source, from going on.
        log.warn("A listener failed on version {} of the mesh's state", next.version(), failure);
      }
    }
  }

  /** Is told of publications, on the writer's thread: it must be quick and must not apply. */
  @FunctionalInterface
  public interface Listener {

    /** Called after {@code next} took the place of {@code former}. */
    void published(MeshSnapshot former, MeshSnapshot next);
  }

  /** A listener's place. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {

    /** The listener is told of no publication that begins after this. */
    @Override
    void close();
  }
}
