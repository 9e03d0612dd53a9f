// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * One HTTP/2 connection in either role: preface and settings, CONNECT in and out, keepalive,
 * GOAWAY, and the streams behind the tunnels.
 */
@NullMarked
package io.heddle.hbone.internal.h2;

import org.jspecify.annotations.NullMarked;
