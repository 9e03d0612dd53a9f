// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.rig.TunnelRig.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBufUtil;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HappyPathTest {
  @Test
  @DisplayName("bytes travel both ways, and the tunnel closes when both halves are over")
  void echo() throws Exception {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      ClientConnection connection = rig.connect();
      Recorder recorder = new Recorder();
      Tunnel tunnel = open(connection, recorder);

      tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "hello"));
      Await.until("the echo", () -> recorder.count.get() == 5);
      tunnel.shutdownOutput();

      recorder.inactive.get(10, TimeUnit.SECONDS);
      assertThat(recorder.text()).isEqualTo("hello");
      assertThat(recorder.events).containsExactly("active", "end", "inactive");
      assertThat(tunnel.peer().id()).isEqualTo(TunnelRig.SERVER);
    }
  }
}
