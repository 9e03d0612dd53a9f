// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** A server and a client of tunnels in one JVM, for tests. */
package io.heddle.hbone.rig;
