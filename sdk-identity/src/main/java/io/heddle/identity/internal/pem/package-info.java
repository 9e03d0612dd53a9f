// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reads PEM text: blocks, private keys, certificates, and the answers of certificate authorities.
 *
 * <p>Text that may hold a key is handled as bytes and never as a {@code String}, so that it can be
 * overwritten.
 */
@NullMarked
package io.heddle.identity.internal.pem;

import org.jspecify.annotations.NullMarked;
