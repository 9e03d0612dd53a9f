// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** The SDK and its local control plane beside a real one; run by {@code -Pinterop}. */
package io.heddle.dev.interop;
