// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * What one tunnel shall do.
 *
 * @param number unlike that of any other tunnel of the soak
 * @param up bytes from client to server
 * @param down bytes from server to client
 * @param stopAt after how many sent bytes the end that cuts the tunnel does so
 * @param delayMicros of the answer, or before the open is given up
 * @param seed of all that the two ends choose at random
 */
record Plan(long number, Kind kind, int up, int down, int stopAt, int delayMicros, long seed) {

  enum Kind {
    BOTH_WAYS,
    CLIENT_ENDS_FIRST,
    SERVER_ENDS_FIRST,
    SLOW_CLIENT,
    SLOW_SERVER,
    ANSWER_DELAYED,
    OPEN_ABORTED,
    REFUSED,
    CLIENT_RESETS,
    SERVER_RESETS,
    CLIENT_CLOSES,
    SERVER_CLOSES
  }

  /** Whether the tunnel may end before its time by what its own ends do. */
  boolean mayEndEarly() {
    return switch (kind) {
      case OPEN_ABORTED, CLIENT_RESETS, SERVER_RESETS, CLIENT_CLOSES, SERVER_CLOSES -> true;
      default -> false;
    };
  }

  /** Makes plans, each kind as often as every other, from one seed. */
  static final class Maker {
    private final Random random;
    private final Deque<Kind> bag = new ArrayDeque<>();

    Maker(long seed) {
      random = new Random(seed);
    }

    Plan next(long number) {
      if (bag.isEmpty()) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        Collections.shuffle(kinds, random);
        bag.addAll(kinds);
      }
      Kind kind = bag.remove();
      int up = size();
      int down = size();
      int sent = kind == Kind.CLIENT_RESETS || kind == Kind.CLIENT_CLOSES ? up : down;
      return new Plan(
          number,
          kind,
          up,
          down,
          random.nextInt(sent + 1),
          random.nextInt(20_000),
          random.nextLong());
    }

    private int size() {
      return switch (random.nextInt(16)) {
        case 0 -> 0;
        case 1, 2, 3, 4, 5, 6, 7 -> random.nextInt(4 << 10);
        case 8, 9, 10, 11, 12, 13 -> random.nextInt(256 << 10);
        default -> random.nextInt(2 << 20);
      };
    }
  }
}
