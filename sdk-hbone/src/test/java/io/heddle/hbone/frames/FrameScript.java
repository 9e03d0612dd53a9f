// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.Frame.Setting;
import io.heddle.hbone.frames.Frame.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a frame peer does, step by step, as {@code hbone/frame-scripts.yaml} tells it. Stream
 * numbers of a script are those of a client that starts at 1; the real client may leave some out,
 * so stream 1 means the first one that it opened, stream 3 the second. Waits of a second and more
 * are cut short by a factor of {@value #HASTE}.
 */
public final class FrameScript {

  private static final int HASTE = 25;
  private static final Duration SILENCE = Duration.ofMillis(300);
  private static final Pattern ENTRY =
      Pattern.compile("- id: (\\S+)\\s+script: \\[(.*?)]\\s*(?=- id:|\\z)", Pattern.DOTALL);
  private static final Pattern STEP = Pattern.compile("(?:[^,\"]|\"[^\"]*\")+");

  private final List<String> steps;

  private FrameScript(List<String> steps) {
    this.steps = steps;
  }

  /** What the script itself cannot do or see. */
  public interface Driver {

    /** Called before the first step, on the thread of the script. */
    default void playing(FrameConnection connection) {}

    /** Called after each step of the script, on its thread. */
    default void done(String step) throws Exception {}

    /** What an {@code expect "..."} of the script means. */
    default void expect(String outcome) throws Exception {
      throw new AssertionError("nobody knows what it means that " + outcome);
    }
  }

  /** Reads one script of the file. */
  public static FrameScript read(String id) {
    Matcher entries = ENTRY.matcher(resource());
    while (entries.find()) {
      if (entries.group(1).equals(id)) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(entries.group(2));
        while (step.find()) {
          steps.add(step.group().strip());
        }
        return new FrameScript(List.copyOf(steps));
      }
    }
    throw new IllegalArgumentException("no frame script " + id);
  }

  /** All ids of the file. */
  public static List<String> ids() {
    return ENTRY.matcher(resource()).results().map(entry -> entry.group(1)).toList();
  }

  /**
   * Plays the server. What a script leaves out (the first SETTINGS, the answer to a CONNECT) is
   * done as a good server does it, unless the script is only silence.
   */
  public void play(FrameConnection connection, Driver driver) throws Exception {
    driver.playing(connection);
    boolean silent = steps.stream().allMatch(step -> step.startsWith("wait "));
    if (!silent && steps.stream().noneMatch(step -> step.startsWith("send SETTINGS"))) {
      connection.sendSettings(Map.of());
    }
    if (!silent && steps.stream().noneMatch(step -> step.contains(" HEADERS"))) {
      connection.acceptTunnels();
    }
    if (steps.contains("ignore PING")) {
      connection.ignorePings();
    }
    for (String step : steps) {
      try {
        play(step, connection, driver);
      } catch (AssertionError e) {
        throw new AssertionError("at '" + step + "': " + e.getMessage(), e);
      }
      driver.done(step);
    }
  }

  private static void play(String step, FrameConnection connection, Driver driver)
      throws Exception {
    String[] words = step.split(" ");
    switch (words[0]) {
      case "recv" -> receive(words, connection);
      case "send" -> send(words, connection);
      case "expect" -> expect(step, words, connection, driver);
      case "wait" -> pause(Duration.ofMillis(Long.parseLong(words[1])), connection);
      case "ignore" -> connection.ignorePings();
      default -> throw new IllegalArgumentException("no such step: " + step);
    }
  }

  private static void receive(String[] words, FrameConnection connection) throws Exception {
    Type type = Type.valueOf(words[1]);
    if (words.length > 2 && words[2].equals("until")) {
      for (int left = Integer.parseInt(words[3]); left > 0; ) {
        left -= connection.await(type).payload().length;
      }
    } else if (words.length > 2) {
      connection.await(type, stream(words, connection));
    } else {
      connection.await(type);
    }
  }

  private static void send(String[] words, FrameConnection connection) throws Exception {
    switch (Type.valueOf(words[1])) {
      case SETTINGS -> {
        Map<Setting, Integer> settings = new EnumMap<>(Setting.class);
        for (int i = 2; i < words.length; i++) {
          String[] pair = words[i].split("=");
          settings.put(Setting.valueOf(pair[0]), Integer.parseInt(pair[1]));
        }
        connection.sendSettings(settings);
        connection.awaitSettled();
      }
      case HEADERS -> connection.sendStatus(stream(words, connection), 200);
      case DATA -> {
        boolean end = words[words.length - 1].equals("END_STREAM");
        connection.sendData(stream(words, connection), "bye", end);
      }
      case GOAWAY -> {
        ErrorCode code = ErrorCode.values()[number(words, "code")];
        connection.sendGoAway(connection.awaitStream((number(words, "last") + 1) / 2), code);
      }
      case WINDOW_UPDATE ->
          connection.send(Frame.windowUpdate(stream(words, connection), number(words, "inc")));
      case RST_STREAM ->
          connection.sendReset(stream(words, connection), ErrorCode.valueOf(words[3]));
      default -> throw new IllegalArgumentException("cannot send " + words[1]);
    }
  }

  private static void expect(String step, String[] words, FrameConnection connection, Driver driver)
      throws Exception {
    if (step.indexOf('"') >= 0) {
      driver.expect(step.substring(step.indexOf('"') + 1, step.lastIndexOf('"')));
    } else if (words[1].equals("no")) {
      Predicate<Frame> unwanted = frame -> frame.is(Type.valueOf(words[2]));
      connection.expectNone(words[2], unwanted, SILENCE);
    } else {
      Frame frame = connection.await(Type.valueOf(words[1]));
      boolean right =
          words.length == 2
              || (words[2].startsWith("len=")
                  ? frame.payload().length == number(words, "len")
                  : frame.errorCode() == ErrorCode.valueOf(words[2]));
      if (!right) {
        throw new AssertionError("got " + frame);
      }
    }
  }

  /** Ends early with the connection: nothing more can happen then. */
  private static void pause(Duration time, FrameConnection connection) throws InterruptedException {
    connection.awaitEnd(time.toMillis() < 1000 ? time : time.dividedBy(HASTE));
  }

  private static int stream(String[] words, FrameConnection connection)
      throws InterruptedException {
    return connection.awaitStream((number(words, "stream") + 1) / 2);
  }

  private static int number(String[] words, String name) {
    for (String word : words) {
      if (word.startsWith(name + "=")) {
        return Integer.parseInt(word.substring(name.length() + 1));
      }
    }
    throw new IllegalArgumentException("no " + name + " in " + List.of(words));
  }

  private static String resource() {
    try (InputStream in = FrameScript.class.getResourceAsStream("/hbone/frame-scripts.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
