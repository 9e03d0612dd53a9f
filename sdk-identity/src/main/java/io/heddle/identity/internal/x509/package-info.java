// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What makes a certificate chain a SPIFFE identity: the rules for the leaf, and the path from it to
 * a trust anchor of its own trust domain.
 */
@NullMarked
package io.heddle.identity.internal.x509;

import org.jspecify.annotations.NullMarked;
