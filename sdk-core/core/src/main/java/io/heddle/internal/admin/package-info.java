// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What an operator may ask of a running mesh: the dump that {@code istioctl ztunnel-config} reads,
 * log levels, readiness. It only looks; nothing here decides about a connection.
 */
@NullMarked
package io.heddle.internal.admin;

import org.jspecify.annotations.NullMarked;
