// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** Which of Netty's socket transports is used, and the event loops made for it. */
@NullMarked
package io.heddle.hbone.internal.transport;

import org.jspecify.annotations.NullMarked;
