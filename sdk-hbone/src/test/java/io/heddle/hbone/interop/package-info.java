// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/** Our ends against programs that we did not write; run by {@code -Pinterop}. */
package io.heddle.hbone.interop;
