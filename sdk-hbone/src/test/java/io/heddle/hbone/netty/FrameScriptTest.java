// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.netty.ClientFixture.target;
import static io.heddle.hbone.rig.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Phase;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.FrameScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The client against the scripts of {@code hbone/frame-scripts.yaml}. The first connection plays
 * the script, later ones are good servers.
 */
class FrameScriptTest {

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName("every script of the file is played by a test of this class")
  void noScriptIsLeftOut() {
    assertThat(FrameScript.ids())
        .containsExactlyInAnyOrder(
            "goaway-then-open",
            "window-zero-start",
            "window-negative",
            "window-overflow",
            "reset-after-open",
            "max-streams-shrinks",
            "tls-ok-then-silent",
            "ping-not-answered");
  }

  @Test
  @DisplayName("goaway-then-open: the next tunnel goes elsewhere, the first one finishes all bytes")
  void goAwayThenOpen() throws Exception {
    List<TunnelEnd> ends = new ArrayList<>();
    HboneClient client = fixture.client(s -> s);
    FramePeer peer =
        play(
            "goaway-then-open",
            new FrameScript.Driver() {
              @Override
              public void done(String step) throws Exception {
                if (step.startsWith("expect no HEADERS")) {
                  ends.get(0).send("last words");
                }
              }
            });
    ends.add(TunnelEnd.open(client, target(peer)));
    ends.get(0).tunnel();
    until("the GOAWAY was read", () -> client.statistics().leavingConnections() == 1);

    TunnelEnd second = TunnelEnd.open(client, target(peer));

    second.tunnel();
    peer.awaitPlayed();
    until("the first one ends in order", ends.get(0)::isEnded);
    assertThat(ends.get(0).received()).isEqualTo("bye");
    assertThat(peer.accepted()).isEqualTo(2);
    ends.get(0).finish();
    peer.connections().get(0).awaitEnd();
  }

  @Test
  @DisplayName("window-zero-start: bytes flow as the window opens, by one and then by the settings")
  void windowZeroStart() throws Exception {
    HboneClient client = fixture.client(s -> s);
    FramePeer peer = play("window-zero-start", new FrameScript.Driver() {});
    TunnelEnd end = TunnelEnd.open(client, target(peer));

    end.send(10_000);

    peer.awaitPlayed();
  }

  @Test
  @DisplayName("window-negative: nothing is sent while settings have made the window negative")
  void windowNegative() throws Exception {
    List<TunnelEnd> ends = new ArrayList<>();
    HboneClient client = fixture.client(s -> s);
    FramePeer peer =
        play(
            "window-negative",
            new FrameScript.Driver() {
              @Override
              public void done(String step) throws Exception {
                if (step.endsWith("INITIAL_WINDOW_SIZE=1000")) {
                  ends.get(0).send(20_000);
                }
              }
            });
    ends.add(TunnelEnd.open(client, target(peer)));

    ends.get(0).send(60_000);

    peer.awaitPlayed();
  }

  @Test
  @DisplayName(
      "window-overflow: the tunnel whose window overflows is reset, the connection goes on")
  void windowOverflow() throws Exception {
    HboneClient client = fixture.client(s -> s);
    FramePeer peer = play("window-overflow", new FrameScript.Driver() {});
    TunnelEnd end = TunnelEnd.open(client, target(peer));
    end.tunnel();

    peer.awaitPlayed();
    until("the tunnel is told", end::isClosed);
    assertThat(end.error()).isInstanceOf(TunnelException.Reset.class);
    TunnelEnd.open(client, target(peer)).tunnel();
    assertThat(peer.accepted()).isEqualTo(1);
  }

  @Test
  @DisplayName("reset-after-open: an open that was refused unprocessed is retried unseen")
  void resetAfterOpen() throws Exception {
    HboneClient client = fixture.client(s -> s);
    FramePeer peer =
        play(
            "reset-after-open",
            new FrameScript.Driver() {
              @Override
              public void expect(String outcome) {
                assertThat(outcome).isEqualTo("open retried");
                until(outcome, () -> client.statistics().opensRetried() == 1);
              }
            });

    TunnelEnd.open(client, target(peer)).tunnel();

    peer.awaitPlayed();
    assertThat(peer.connections().get(1).openedStreams()).isEqualTo(1);
  }

  @Test
  @DisplayName("max-streams-shrinks: the lower limit holds for the next tunnels, open ones go on")
  void maxStreamsShrinks() throws Exception {
    HboneClient client = fixture.client(s -> s);
    FramePeer peer = play("max-streams-shrinks", new FrameScript.Driver() {});
    List<TunnelEnd> ends = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ends.add(TunnelEnd.open(client, target(peer)));
    }
    for (TunnelEnd end : ends) {
      end.tunnel();
    }
    peer.awaitPlayed();

    TunnelEnd.open(client, target(peer)).tunnel();

    FrameConnection shrunk = peer.connections().get(0);
    assertThat(shrunk.openedStreams()).isEqualTo(5);
    assertThat(peer.connections().get(1).openedStreams()).isEqualTo(1);
    assertThat(ends).allMatch(end -> end.opening().getNow().isActive());
  }

  @Test
  @DisplayName("tls-ok-then-silent: the open fails in time and names the phase")
  void tlsOkThenSilent() throws Exception {
    HboneClient client = fixture.client(s -> s.settingsTimeout(Duration.ofMillis(300)));
    FramePeer peer = play("tls-ok-then-silent", new FrameScript.Driver() {});

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure)
        .isInstanceOfSatisfying(
            TunnelException.ConnectFailed.class,
            e -> assertThat(e.phase()).isEqualTo(Phase.SETTINGS));
    peer.awaitPlayed();
  }

  @Test
  @DisplayName(
      "ping-not-answered: keepalive closes the connection, its tunnels fail, new ones work")
  void pingNotAnswered() throws Exception {
    HboneClient client =
        fixture.client(
            s -> s.pingInterval(Duration.ofMillis(100)).pingTimeout(Duration.ofMillis(400)));
    List<FrameConnection> first = new ArrayList<>();
    FramePeer peer =
        play(
            "ping-not-answered",
            new FrameScript.Driver() {
              @Override
              public void playing(FrameConnection connection) {
                first.add(connection);
              }

              @Override
              public void expect(String outcome) throws Exception {
                assertThat(outcome).isEqualTo("connection closed by keepalive");
                first.get(0).awaitEnd();
              }
            });
    TunnelEnd end = TunnelEnd.open(client, target(peer));
    end.tunnel();

    peer.awaitPlayed();
    until("the tunnel is told", end::isClosed);
    assertThat(end.error())
        .isInstanceOf(TunnelException.ConnectionLost.class)
        .hasMessageContaining("PING");
    TunnelEnd.open(client, target(peer)).tunnel();
    assertThat(peer.accepted()).isEqualTo(2);
  }

  private FramePeer play(String id, FrameScript.Driver driver) throws Exception {
    FrameScript script = FrameScript.read(id);
    return fixture.peer(
        (connection, number) -> {
          if (number == 1) {
            script.play(connection, driver);
          } else {
            connection.serve(1000);
          }
        });
  }
}
