// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers queries in the order of HBONE reference 6: what is no query, whose it is, what the mesh
 * knows, what others know.
 */
public final class DnsResponder {

  private static final Logger LOG = LoggerFactory.getLogger(DnsResponder.class);

  private final Supplier<MeshSnapshot> mesh;
  private final Clients clients;
  private final MeshNames names;
  private final Upstream upstream;

  /**
   * Answers for a mesh.
   *
   * @param mesh what it knows now
   * @param clients whose queries are answered
   * @param names the addresses of its services
   * @param upstream asked for everything else
   */
  public DnsResponder(
      Supplier<MeshSnapshot> mesh, Clients clients, MeshNames names, Upstream upstream) {
    this.mesh = mesh;
    this.clients = clients;
    this.names = names;
    this.upstream = upstream;
  }

  /** One message of a client, and where its answer goes. */
  record Asked(ByteBuf message, InetAddress source, boolean byTcp, Consumer<ByteBuf> reply) {}

  /**
   * Answers one message, now or later, on the loop; what is too short to have an id gets no answer.
   *
   * @param asked its message stays the caller's; the reply's is to be released by who takes it
   */
  void answer(Asked asked, ByteBufAllocator allocator, EventLoop loop) {
    ByteBuf message = asked.message();
    if (message.readableBytes() < DnsQuery.HEADER_BYTES) {
      return;
    }
    DnsQuery.Header header = DnsQuery.Header.of(message);
    if (header.isResponse()) {
      asked.reply().accept(DnsAnswer.failure(allocator, header, ResponseCode.FORMAT_ERROR));
      return;
    }
    if (header.operation() != 0) {
      asked.reply().accept(DnsAnswer.failure(allocator, header, ResponseCode.NOT_IMPLEMENTED));
      return;
    }
    DnsQuery query = DnsQuery.read(message);
    if (query == null) {
      asked.reply().accept(DnsAnswer.failure(allocator, header, ResponseCode.FORMAT_ERROR));
      return;
    }
    Workload client = clients.of(IpAddresses.canonical(asked.source()));
    if (client == null) {
      asked.reply().accept(DnsAnswer.failure(allocator, query, ResponseCode.SERVER_FAILURE));
      return;
    }
    LocalAnswer local = query.isForAddresses() ? local(query, client) : null;
    if (local != null) {
      asked.reply().accept(DnsAnswer.of(allocator, query, local, asked.byTcp()));
    } else {
      forward(asked, query, allocator, loop);
    }
  }

  private @Nullable LocalAnswer local(DnsQuery query, Workload client) {
    StandardProtocolFamily family =
        query.type() == DnsQuery.TYPE_A
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    return names.answer(mesh.get(), client, query.name(), family);
  }

  private void forward(Asked asked, DnsQuery query, ByteBufAllocator allocator, EventLoop loop) {
    upstream
        .ask(asked.message(), asked.byTcp(), loop)
        .addListener(
            (Future<ByteBuf> answer) -> {
              if (answer.isSuccess()) {
                asked.reply().accept(answer.getNow());
              } else {
                LOG.debug("no name server answers for {}", query.name(), answer.cause());
                asked
                    .reply()
                    .accept(DnsAnswer.failure(allocator, query, ResponseCode.SERVER_FAILURE));
              }
            });
  }
}
