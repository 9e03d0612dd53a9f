// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The mesh for applications that speak Netty: tunnels are channels, in both directions. */
@NullMarked
package io.heddle.netty;

import org.jspecify.annotations.NullMarked;
