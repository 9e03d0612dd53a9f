// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The soak: clients and servers that open and close tunnels while both ends, the network and the
 * certificates misbehave. Every byte is checked, every early end needs a cause that the soak itself
 * has set, and nothing may be left at the end.
 */
package io.heddle.hbone.soak;
