// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.netty.util.LeakPresenceDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves a Netty resource unreleased. Registered for every test by service
 * loading; it needs {@code -Dio.netty.customResourceLeakDetector} set to {@link
 * LeakPresenceDetector}, which the build does.
 */
public final class LeakCheck implements AfterAllCallback {

  @Override
  public void afterAll(ExtensionContext context) {
    if (Boolean.getBoolean("heddle.skipLeakCheck") || isNested(context)) {
      return;
    }
    LeakPresenceDetector.check();
  }

  private static boolean isNested(ExtensionContext context) {
    return context.getRequiredTestClass().isMemberClass();
  }
}
