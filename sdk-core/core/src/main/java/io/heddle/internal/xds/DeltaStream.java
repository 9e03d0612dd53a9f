// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.Node;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of incremental aggregated discovery (control-plane reference 2.4 to 2.6).
 *
 * <p>The first requests of all types are sent at once. Every response is taken whole, then answered
 * exactly once with its nonce: by an acknowledgement, or by a rejection that names what was bad.
 * The next response is only asked for when the answer can be written, so a control plane that sends
 * and does not read fills its own buffers and not ours. Control-plane thread only.
 */
final class DeltaStream extends ClientCall.Listener<InputStream> {

  private static final Logger LOG = LoggerFactory.getLogger(DeltaStream.class);

  private static final int INVALID_ARGUMENT = Status.Code.INVALID_ARGUMENT.value();

  /** A response stays the transport's bytes until its subscription reads them. */
  private static final MethodDescriptor<DeltaDiscoveryRequest, InputStream> METHOD =
      AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod().toBuilder(
              AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()
                  .getRequestMarshaller(),
              new UnreadMessage())
          .build();

  private final Map<ResourceType, Subscription> subscriptions;
  private final Events events;
  private final ClientCall<DeltaDiscoveryRequest, InputStream> call;

  /** Also read where the transport lets go what comes after the end. */
  private volatile boolean ended;

  private boolean owesRequest;
  private boolean foreignTypeReported;
  private long responses;

  /** Is told what happens on the stream. */
  interface Events {

    /** A response was applied and answered. */
    void applied(Subscription subscription, Rejections rejections);

    /** Nothing more comes. */
    void ended(DeltaStream stream, StreamEnd end);
  }

  DeltaStream(
      Channel channel,
      CallOptions options,
      Map<ResourceType, Subscription> subscriptions,
      Events events) {
    this.subscriptions = subscriptions;
    this.events = events;
    this.call = channel.newCall(METHOD, options);
  }

  /** Sends the first requests. */
  void open(Node node) {
    call.start(this, new Metadata());
    call.request(1);
    @Nullable Node introduction = node;
    for (Subscription subscription : subscriptions.values()) {
      DeltaDiscoveryRequest.Builder request = subscription.firstRequest();
      if (introduction != null) {
        request.setNode(introduction);
        introduction = null;
      }
      call.sendMessage(request.build());
    }
  }

  /** Asks for more names of a type. Without a nonce: it answers nothing. */
  void subscribe(ResourceType type, List<String> names) {
    if (!ended) {
      call.sendMessage(
          DeltaDiscoveryRequest.newBuilder()
              .setTypeUrl(type.url())
              .addAllResourceNamesSubscribe(names)
              .build());
    }
  }

  /** How many responses have come. */
  long responses() {
    return responses;
  }

  /** Whether every subscription was answered. */
  boolean isAnswered() {
    return subscriptions.values().stream().allMatch(Subscription::isAnswered);
  }

  /** Gives up, with a reason that {@link Events#ended} is told. */
  void cancel(Status reason) {
    if (!ended) {
      call.cancel(reason.getDescription(), null);
      end(reason);
    }
  }

  @Override
  public void onMessage(InputStream message) {
    if (ended) {
      return;
    }
    responses++;
    try {
      take(ResponseBody.of(message));
    } catch (MalformedResponseException e) {
      cancel(Status.INTERNAL.withDescription("the control plane sent " + e.getMessage()));
      return;
    } catch (StatusRuntimeException e) {
      // The transport unpacks while it is read, and stops at the inbound limit.
      cancel(e.getStatus());
      return;
    } catch (RuntimeException e) {
      LOG.error("A response could not be applied; the state stays as it was", e);
      cancel(Status.INTERNAL.withDescription("a response could not be applied: " + e));
      return;
    }
    if (call.isReady()) {
      call.request(1);
    } else {
      owesRequest = true;
    }
  }

  @Override
  public void onReady() {
    if (owesRequest && !ended) {
      owesRequest = false;
      call.request(1);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end(status);
  }

  private void end(Status status) {
    if (!ended) {
      ended = true;
      events.ended(this, new StreamEnd(status));
    }
  }

  private void take(ResponseBody body) throws MalformedResponseException {
    ResponseBody.Outline outline = body.outline();
    if (outline.nonce().isEmpty()) {
      // Answered without one, the answer would be read as a new subscription.
      throw new MalformedResponseException("a response without a nonce");
    }
    ResourceType type = ResourceType.ofUrl(outline.typeUrl());
    Subscription subscription = type == null ? null : subscriptions.get(type);
    if (subscription == null) {
      acknowledgeForeign(outline);
      return;
    }
    Rejections rejections = subscription.take(body);
    if (ended) {
      // A listener of the index has closed the client.
      return;
    }
    answer(outline, rejections.text());
    events.applied(subscription, rejections);
  }

  private void answer(ResponseBody.Outline outline, @Nullable String rejection) {
    DeltaDiscoveryRequest.Builder request =
        DeltaDiscoveryRequest.newBuilder()
            .setTypeUrl(outline.typeUrl())
            .setResponseNonce(outline.nonce());
    if (rejection != null) {
      io.heddle.internal.proto.rpc.Status.Builder detail =
          io.heddle.internal.proto.rpc.Status.newBuilder();
      request.setErrorDetail(detail.setCode(INVALID_ARGUMENT).setMessage(rejection));
    }
    call.sendMessage(request.build());
  }

  private void acknowledgeForeign(ResponseBody.Outline outline) {
    if (!foreignTypeReported) {
      foreignTypeReported = true;
      LOG.warn(
          "The control plane sends resources that were not asked for, of type '{}': ignored",
          Rejections.shortened(outline.typeUrl(), 100));
    }
    answer(outline, null);
  }

  /** Leaves a message to be read where it is received, before the transport takes it back. */
  private static final class UnreadMessage implements MethodDescriptor.Marshaller<InputStream> {

    @Override
    public InputStream stream(InputStream value) {
      return value;
    }

    @Override
    public InputStream parse(InputStream stream) {
      return stream;
    }
  }
}
