// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.internal.state.Workload;
import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.spi.ConnectionLabels.Reporter;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each connection, to the logger {@code access}, with the fields of HBONE reference
 * 7.2. Byte counts are from the reporter's view.
 */
final class AccessLog {

  private static final Logger LOG = LoggerFactory.getLogger("access");

  private AccessLog() {}

  static void complete(
      ConnectionFacts facts,
      long fromInitiator,
      long towardsInitiator,
      Duration duration,
      @Nullable String error) {
    if (error == null ? !LOG.isInfoEnabled() : !LOG.isErrorEnabled()) {
      return;
    }
    ConnectionLabels labels = facts.labels();
    boolean outbound = labels.reporter() == Reporter.SOURCE;
    Line line = new Line("connection complete");
    line.add("src.addr", text(facts.sourceAddress(), facts.sourcePort()));
    party(line, "src", facts.sourceWorkload(), labels.source());
    line.add("dst.addr", text(facts.destination(), facts.destinationPort()));
    line.add("dst.hbone_addr", facts.authority() == null ? "" : facts.authority().toString());
    line.add("dst.service", labels.service());
    party(line, "dst", facts.destinationWorkload(), labels.destination());
    line.add("direction", outbound ? "outbound" : "inbound");
    line.add("bytes_sent", Long.toString(outbound ? fromInitiator : towardsInitiator));
    line.add("bytes_recv", Long.toString(outbound ? towardsInitiator : fromInitiator));
    line.add("duration", duration.toMillis() + "ms");
    if (error == null) {
      LOG.info("{}", line);
    } else {
      LOG.error("{}", line.add("error", error));
    }
  }

  /** A connection that ended before anything was known that could be counted. */
  static void rejected(String source, String destination, String direction, String error) {
    if (LOG.isWarnEnabled()) {
      Line line = new Line("connection failed");
      line.add("src.addr", source).add("dst.addr", destination);
      LOG.warn("{}", line.add("direction", direction).add("error", error));
    }
  }

  private static String text(@Nullable InetAddress address, int port) {
    if (address == null) {
      return "";
    }
    return port == 0 ? address.getHostAddress() : address.getHostAddress() + ":" + port;
  }

  private static void party(Line line, String end, @Nullable Workload workload, Party party) {
    line.add(end + ".workload", workload == null ? party.canonicalService() : workload.name());
    line.add(end + ".namespace", party.namespace());
    line.add(end + ".identity", party.principal());
    line.add(end + ".cluster", party.cluster());
  }

  /** {@code message key=value key="value with blanks"}; absent values are left out. */
  private static final class Line {
    private final StringBuilder text;

    Line(String message) {
      text = new StringBuilder(256).append(message);
    }

    Line add(String key, String value) {
      if (!value.isEmpty()) {
        text.append(' ').append(key).append('=');
        if (isPlain(value)) {
          text.append(value);
        } else {
          quote(value);
        }
      }
      return this;
    }

    private static boolean isPlain(String value) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c <= ' ' || c == '"' || c == '\\' || c > '~') {
          return false;
        }
      }
      return true;
    }

    /** Peers write some of these values, so a line break in them must not start a line. */
    private void quote(String value) {
      text.append('"');
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '"' || c == '\\') {
          text.append('\\').append(c);
        } else if (c < ' ' || c == 0x7f) {
          text.append(String.format("\\u%04x", (int) c));
        } else {
          text.append(c);
        }
      }
      text.append('"');
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
