// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What every rotating source of identity has in common: when to renew, how to retry, how to publish
 * a snapshot, and how healthy the source is.
 */
@NullMarked
package io.heddle.identity.internal.rotation;

import org.jspecify.annotations.NullMarked;
