// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.netty.util.LeakPresenceDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves a Netty resource unreleased. Registered for every test by service
 * loading; it needs {@code -Dio.netty.customResourceLeakDetector} set to {@link
 * LeakPresenceDetector}, which the build does.
 */
public final class LeakCheck implements AfterAllCallback {

  /**
   * A leak is what is never released. The loops that gRPC shares among its channels say that a
   * channel has ended a moment before they release its last buffer, and nothing tells when.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long POLL_NANOS = 5_000_000;

  @Override
  public void afterAll(ExtensionContext context) {
    if (Boolean.getBoolean("heddle.skipLeakCheck") || isNested(context)) {
      return;
    }
    Instant end = Instant.now().plus(PATIENCE);
    while (isAnythingHeld() && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    LeakPresenceDetector.check();
  }

  private static boolean isAnythingHeld() {
    try {
      LeakPresenceDetector.check();
      return false;
    } catch (IllegalStateException held) {
      return true;
    }
  }

  private static boolean isNested(ExtensionContext context) {
    return context.getRequiredTestClass().isMemberClass();
  }
}
