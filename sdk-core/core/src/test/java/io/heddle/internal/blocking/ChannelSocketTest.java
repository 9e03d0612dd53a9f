// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.internal.relay.ChannelReset;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client library may expect of a {@link ChannelSocket} as a {@code java.net.Socket}. */
class ChannelSocketTest {

  private static TcpConnector tcp;
  private static Origin echo;

  @BeforeAll
  static void startEcho() throws IOException {
    tcp = TcpConnector.nio();
    echo = Origin.serving(peer -> peer.getInputStream().transferTo(peer.getOutputStream()));
  }

  @AfterAll
  static void stopEcho() throws Exception {
    echo.close();
    tcp.close();
  }

  private static Socket socket(ByteChannelConnector connector) throws SocketException {
    return new ChannelSocket(connector, ChannelReset.ofTcp());
  }

  private static Socket connected() throws IOException {
    Socket socket = socket(tcp);
    socket.connect(InetSocketAddress.createUnresolved("echo.test", echo.port()));
    return socket;
  }

  @Test
  void unresolvedNameIsLeftToTheConnector() throws Exception {
    try (Socket socket = socket(tcp)) {
      socket.connect(InetSocketAddress.createUnresolved("nobody-knows.test", echo.port()), 5000);

      assertThat(tcp.askedHosts()).contains("nobody-knows.test");
    }
  }

  @Test
  void reportsTheAskedNameAndPortAndTheReachedAddress() throws Exception {
    try (Socket socket = connected()) {
      assertThat(socket.getInetAddress().getHostName()).isEqualTo("echo.test");
      assertThat(socket.getInetAddress().isLoopbackAddress()).isTrue();
      assertThat(socket.getPort()).isEqualTo(echo.port());
      assertThat(socket.getRemoteSocketAddress())
          .isEqualTo(new InetSocketAddress(socket.getInetAddress(), echo.port()));
      assertThat(socket.getLocalAddress().isLoopbackAddress()).isTrue();
      assertThat(socket.getLocalPort()).isPositive();
    }
  }

  @Test
  void reportsTheAskedAddressWhenItWasResolved() throws Exception {
    InetAddress asked = InetAddress.getByAddress("named", new byte[] {127, 0, 0, 1});
    try (Socket socket = socket(tcp)) {
      socket.connect(new InetSocketAddress(asked, echo.port()));

      assertThat(socket.getInetAddress()).isSameAs(asked);
    }
  }

  @Test
  void hasNoSocketChannel() throws Exception {
    try (Socket socket = connected()) {
      assertThat(socket.getChannel()).isNull();
    }
  }

  @Test
  void optionsSetBeforeConnectAreKept() throws Exception {
    try (Socket socket = socket(tcp)) {
      socket.setSoTimeout(1234);
      socket.setSoLinger(true, 7);
      socket.setTcpNoDelay(false);
      socket.setKeepAlive(true);
      socket.setReceiveBufferSize(4096);
      socket.setSendBufferSize(8192);

      socket.connect(InetSocketAddress.createUnresolved("echo.test", echo.port()));

      assertThat(socket.getSoTimeout()).isEqualTo(1234);
      assertThat(socket.getSoLinger()).isEqualTo(7);
      assertThat(socket.getTcpNoDelay()).isFalse();
      assertThat(socket.getKeepAlive()).isTrue();
      assertThat(socket.getReceiveBufferSize()).isEqualTo(4096);
      assertThat(socket.getSendBufferSize()).isEqualTo(8192);
      socket.setSoLinger(false, 0);
      assertThat(socket.getSoLinger()).isEqualTo(-1);
    }
  }

  @Test
  @DisplayName("B051 the channel below a socket has TCP_NODELAY unless the application clears it")
  void channelHasNoDelay() throws Exception {
    try (Socket socket = connected()) {
      DuplexChannel channel = channelOf(socket);
      channel.config().setOption(ChannelOption.TCP_NODELAY, false);
      socket.setTcpNoDelay(true);
      assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();

      socket.setTcpNoDelay(false);
      assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isFalse();
    }
  }

  @Test
  void defaultsAreSane() throws Exception {
    try (Socket socket = socket(tcp)) {
      assertThat(socket.getSoTimeout()).isZero();
      assertThat(socket.getSoLinger()).isEqualTo(-1);
      assertThat(socket.getTcpNoDelay()).isTrue();
      assertThat(socket.getReceiveBufferSize()).isPositive();
      assertThat(socket.getSendBufferSize()).isPositive();
      assertThat(socket.getTrafficClass()).isZero();
    }
  }

  @Test
  void genericOptionsAreKeptOrIgnored() throws Exception {
    SocketOption<Integer> extended = new ExtendedOption("TCP_KEEPIDLE");
    try (Socket socket = connected()) {
      socket.setOption(StandardSocketOptions.SO_RCVBUF, 5000);
      assertThatCode(() -> socket.setOption(extended, 5)).doesNotThrowAnyException();

      assertThat(socket.getOption(StandardSocketOptions.SO_RCVBUF)).isEqualTo(5000);
      assertThat(socket.supportedOptions()).doesNotContain(extended);
    }
  }

  private record ExtendedOption(String name) implements SocketOption<Integer> {
    @Override
    public Class<Integer> type() {
      return Integer.class;
    }
  }

  @Test
  void connectorFailureIsTheCauseOfAConnectException() throws Exception {
    IOException refusal = new IOException("the peer's policy refuses us");
    try (Socket socket = socket((h, r, p, first) -> CompletableFuture.failedFuture(refusal))) {
      assertThatThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("x", 1)))
          .isExactlyInstanceOf(ConnectException.class)
          .hasMessage("the peer's policy refuses us")
          .hasCause(refusal);
    }
  }

  @Test
  void connectorThatThrowsIsTheCauseOfAConnectException() throws Exception {
    RuntimeException refusal = new IllegalStateException("the mesh is closed");
    ByteChannelConnector throwing =
        (h, r, p, first) -> {
          throw refusal;
        };
    try (Socket socket = socket(throwing)) {
      assertThatThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("x", 1)))
          .isExactlyInstanceOf(ConnectException.class)
          .hasCause(refusal);
    }
  }

  @Test
  void timeOutInsideTheConnectorIsASocketTimeout() throws Exception {
    ConnectTimeoutException late = new ConnectTimeoutException("no answer in 10 s");
    try (Socket socket = socket((h, r, p, first) -> CompletableFuture.failedFuture(late))) {
      assertThatThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("x", 1)))
          .isExactlyInstanceOf(SocketTimeoutException.class)
          .hasCause(late);
    }
  }

  @Test
  void channelThatComesTooLateIsClosed() throws Exception {
    CompletableFuture<DuplexChannel> late = new CompletableFuture<>();
    CompletableFuture<DuplexChannel> real = new CompletableFuture<>();
    ByteChannelConnector slow =
        (h, r, p, first) -> {
          tcp.connect(h, r, p, new ChannelInboundHandlerAdapter()).thenAccept(real::complete);
          return late;
        };
    try (Socket socket = socket(slow)) {
      assertThatThrownBy(
              () -> socket.connect(InetSocketAddress.createUnresolved("x", echo.port()), 50))
          .isInstanceOf(SocketTimeoutException.class);
      DuplexChannel channel = real.get(10, TimeUnit.SECONDS);

      late.complete(channel);

      assertThat(channel.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void bindingToAnyAddressIsAccepted() throws Exception {
    try (Socket socket = socket(tcp)) {
      assertThatCode(() -> socket.bind(null)).doesNotThrowAnyException();
    }
  }

  @Test
  void bindingToALocalAddressIsRefusedClearly() throws Exception {
    try (Socket socket = socket(tcp)) {
      assertThatThrownBy(() -> socket.bind(new InetSocketAddress("127.0.0.1", 0)))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("chosen when it connects");
    }
  }

  @Test
  void connectOnAnEventLoopIsRefused() throws Exception {
    Throwable refusal =
        tcp.loops().next().submit(() -> catchThrowable(ChannelSocketTest::connected)).get();

    assertThat(refusal).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void readingAndWritingOnTheChannelsEventLoopIsRefused() throws Exception {
    try (Socket socket = connected()) {
      var loop = channelOf(socket).eventLoop();

      Throwable read =
          loop.submit(() -> catchThrowable(() -> socket.getInputStream().read())).get();
      Throwable write =
          loop.submit(() -> catchThrowable(() -> socket.getOutputStream().write(1))).get();

      assertThat(read).isInstanceOf(IllegalStateException.class);
      assertThat(write).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shutdownInputReadsEndOfStreamAndLetsThePeerGoOn() throws Exception {
    try (Socket socket = connected()) {
      var in = socket.getInputStream();
      socket.getOutputStream().write(1);
      assertThat(in.read()).isEqualTo(1);

      socket.shutdownInput();
      socket.getOutputStream().write(new byte[4 * 1024 * 1024]);

      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void writingAfterShutdownOutputFails() throws Exception {
    try (Socket socket = connected()) {
      var out = socket.getOutputStream();
      socket.shutdownOutput();

      assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void availableTellsWhatCanBeReadWithoutWaiting() throws Exception {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(new byte[] {1, 2, 3});
      assertThat(socket.getInputStream().read()).isEqualTo(1);

      assertThat(socket.getInputStream().available()).isEqualTo(2);
    }
  }

  @Test
  void closingAStreamClosesSocketAndChannel() throws Exception {
    Socket socket = connected();
    DuplexChannel channel = channelOf(socket);

    socket.getInputStream().close();

    assertThat(socket.isClosed()).isTrue();
    assertThat(channel.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
  }

  private static DuplexChannel channelOf(Socket socket) {
    return tcp.opened().stream()
        .filter(
            c ->
                c.localAddress() instanceof InetSocketAddress local
                    && local.getPort() == socket.getLocalPort())
        .findFirst()
        .orElseThrow();
  }
}
