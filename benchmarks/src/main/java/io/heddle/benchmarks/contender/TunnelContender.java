// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.heddle.Exposure;
import io.heddle.netty.MeshChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.Socket;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The product: tunnels between the meshes of a pair, which stays the caller's to close. */
public final class TunnelContender implements Contender {

  /** Which of the server's two ports is used: contenders over one pair need one each. */
  public enum Port {
    FIRST(80, 8080),
    SECOND(81, 8081);

    private final int asked;
    private final int served;

    Port(int asked, int served) {
      this.asked = asked;
      this.served = served;
    }
  }

  private final String name;
  private final MeshPair meshes;
  private final Port port;
  private final @Nullable SocketContender application;
  private @Nullable Exposure exposure;

  private TunnelContender(
      String name, MeshPair meshes, Port port, @Nullable SocketContender application) {
    this.name = name;
    this.meshes = meshes;
    this.port = port;
    this.application = application;
  }

  /** The application is Netty handlers on the loop of the connection. */
  public static TunnelContender inProcess(MeshPair meshes, Port port) {
    return new TunnelContender("hbone", meshes, port, null);
  }

  /** The application is a plain Netty server on loopback, with an event loop of its own. */
  public static TunnelContender loopback(MeshPair meshes, Port port) {
    return new TunnelContender("loopback", meshes, port, SocketContender.tcp());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void serve(Supplier<? extends ChannelHandler> handlers) throws InterruptedException {
    if (application == null) {
      exposure = MeshChannels.of(meshes.server()).expose(port.served, peer -> handlers.get());
    } else {
      application.serve(handlers);
      exposure = meshes.server().expose(port.served, application.address().getPort());
    }
  }

  @Override
  public Future<? extends Channel> open(ChannelHandler handler) {
    return MeshChannels.of(meshes.client()).connect(MeshPair.HOST, port.asked, handler);
  }

  /** Opens one connection as a blocking socket. */
  public Socket socket() throws IOException {
    return meshes.client().socketFactory().createSocket(MeshPair.HOST, port.asked);
  }

  @Override
  public void close() {
    if (exposure != null) {
      exposure.close();
    }
    if (application != null) {
      application.close();
    }
  }
}
