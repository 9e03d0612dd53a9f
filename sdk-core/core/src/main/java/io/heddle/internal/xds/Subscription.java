// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The subscription to one type of resource. It outlives streams: it knows what was accepted, and
 * tells each new stream. Control-plane thread only.
 */
final class Subscription {

  private static final int REJECTED_KEPT = 1000;
  private static final String EVERYTHING = "*";

  private final ResourceType type;
  private final ResourceSink sink;
  private final AdsLimits limits;
  private final RandomGenerator random;

  /** Null for a subscription to everything. */
  private final @Nullable Demands demands;

  private final VersionTable accepted;
  private final Map<String, String> rejected = new LinkedHashMap<>();
  private long rejections;
  private boolean acknowledged;

  /** Set from the first request of a stream to its first answer, if something was held. */
  private @Nullable Reconciliation reconciliation;

  private boolean answered;

  Subscription(
      ResourceType type,
      ResourceSink sink,
      AdsLimits limits,
      RandomGenerator random,
      @Nullable Demands demands) {
    this.type = type;
    this.sink = sink;
    this.limits = limits;
    this.random = random;
    this.demands = demands;
    this.accepted = new VersionTable(random);
  }

  ResourceType type() {
    return type;
  }

  /** Whether a resource of this name is in the state. */
  boolean holds(String name) {
    return sink.holds(name);
  }

  /** Whether the present stream has answered the first request. */
  boolean isAnswered() {
    return answered;
  }

  /**
   * Whether an answer was ever acknowledged. One that had to be rejected in part does not count, an
   * empty one does (control-plane reference 2.12).
   */
  boolean isAcknowledged() {
    return acknowledged;
  }

  /** Whether it is subscribed to everything, so that there is an answer to wait for. */
  boolean isWildcard() {
    return demands == null;
  }

  AdsStatus.Type status() {
    return new AdsStatus.Type(acknowledged, accepted.size(), rejections, Map.copyOf(rejected));
  }

  /** Begins a stream: what is wanted, and what is held (control-plane reference 2.4, 2.8). */
  DeltaDiscoveryRequest.Builder firstRequest() {
    answered = false;
    DeltaDiscoveryRequest.Builder request =
        DeltaDiscoveryRequest.newBuilder().setTypeUrl(type.url());
    int room = limits.requestBytes();
    if (demands != null) {
      // Both at once: subscribed to nothing. Without a name it would be everything.
      request.addResourceNamesSubscribe(EVERYTHING).addResourceNamesUnsubscribe(EVERYTHING);
      room /= 2;
      demands.takeUnsent(room).forEach(name -> request.putInitialResourceVersions(name, ""));
    }
    reconciliation =
        Reconciliation.begin(
            sink, accepted, isWildcard(), room, random, request::putInitialResourceVersions);
    return request;
  }

  void streamEnded() {
    answered = false;
    reconciliation = null;
    if (demands != null) {
      demands.streamEnded();
    }
  }

  /**
   * Applies a response: updates, then removals, all at once; then wakes who waited for it.
   *
   * @return what was rejected
   */
  Rejections take(ResponseBody body) throws MalformedResponseException {
    Intake intake = new Intake();
    boolean applied = false;
    try {
      body.read(intake, limits);
      intake.apply();
      applied = true;
    } finally {
      if (!applied) {
        // Versions may be recorded of what is not in the state. With none, all is sent again.
        accepted.clear();
      }
    }
    reconciliation = null;
    answered = true;
    acknowledged |= intake.rejections.count() == 0;
    rejections += intake.rejections.count();
    intake.wake();
    return intake.rejections;
  }

  /** One response on its way into the state. */
  private final class Intake implements ResponseBody.Receiver {

    private final Rejections rejections = new Rejections();
    private final ResourceSink.Update update = sink.begin();
    private final @Nullable Reconciliation firstAnswer = reconciliation;
    private final List<Resource> arrived = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();

    @Override
    public void resource(Resource resource) {
      String name = resource.getName();
      try {
        requireAcceptable(resource);
        if (firstAnswer != null) {
          firstAnswer.sent(name, resource.getVersion());
        }
        update.put(name, resource.getResource().getValue());
        accepted.put(name, resource.getVersion());
        rejected.remove(name);
        remember(resource);
      } catch (RejectedResourceException e) {
        reject(name, String.valueOf(e.getMessage()));
      }
    }

    private void requireAcceptable(Resource resource) throws RejectedResourceException {
      String name = resource.getName();
      if (name.isEmpty()) {
        throw new RejectedResourceException("a resource without a name");
      }
      if (name.length() > limits.nameLength()) {
        throw new RejectedResourceException(
            "a name of " + name.length() + " characters (at most " + limits.nameLength() + ")");
      }
      if (accepted.size() >= limits.resources() && !accepted.contains(name)) {
        throw new RejectedResourceException(
            limits.resources() + " resources of this type are held already, which is the limit");
      }
      String url = resource.getResource().getTypeUrl();
      if (!url.isEmpty() && !url.equals(type.url())) {
        throw new RejectedResourceException("a " + url + " (expected: " + type.url() + ")");
      }
    }

    private void remember(Resource resource) {
      if (demands != null) {
        arrived.add(resource.toBuilder().clearResource().build());
      }
    }

    private void reject(String name, String reason) {
      rejections.add(name, reason);
      accepted.remove(name);
      if (name.length() <= limits.nameLength()
          && (rejected.size() < REJECTED_KEPT || rejected.containsKey(name))) {
        rejected.put(name, Rejections.shortened(reason, REJECTED_KEPT));
      }
      if (demands != null) {
        missing.add(name);
      }
    }

    @Override
    public void noResource(int position, String reason) {
      rejections.add("resource " + position + " of the response", reason);
    }

    @Override
    public void removed(String name) {
      if (accepted.contains(name) || sink.holds(name)) {
        removed.add(name);
      }
      if (demands != null && demands.concern(name)) {
        missing.add(name);
      }
    }

    void apply() {
      removed.forEach(this::drop);
      if (firstAnswer != null) {
        firstAnswer.stale(sink).forEach(this::drop);
      }
      update.apply();
    }

    private void drop(String name) {
      update.remove(name);
      accepted.remove(name);
      rejected.remove(name);
    }

    /** After the state shows it: who is woken looks there. */
    void wake() {
      if (demands != null) {
        for (Resource resource : arrived) {
          demands.arrived(resource.getName(), resource.getAliasesList());
        }
        missing.forEach(demands::missing);
      }
    }
  }
}
