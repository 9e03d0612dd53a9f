// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Makes key pairs, certificate signing requests and development certificates (D21).
 *
 * <p>Everything goes through one {@link io.heddle.identity.internal.crypto.BouncyCastle} provider
 * object that is passed explicitly: the application's list of security providers stays as it was.
 */
@NullMarked
package io.heddle.identity.internal.ca;

import org.jspecify.annotations.NullMarked;
