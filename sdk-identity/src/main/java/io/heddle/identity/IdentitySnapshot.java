// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.time.Instant;

/**
 * What a source knew at one moment: our SVID and the bundles that belong with it, from one and the
 * same update. Whoever needs both takes one snapshot and reads both from it, so that a certificate
 * is never combined with the anchors of another update.
 *
 * @param version grows with each update of one source; the first is 1
 * @param svid who we are
 * @param bundles whom we can verify
 * @param receivedAt when the update arrived
 */
public record IdentitySnapshot(
    long version, X509Svid svid, TrustBundles bundles, Instant receivedAt) {}
