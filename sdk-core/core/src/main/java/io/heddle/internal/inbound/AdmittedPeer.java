// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.identity.PeerSvid;

/**
 * Who is behind an admitted connection.
 *
 * @param svid what mutual TLS proved
 * @param isWaypoint whether that is a waypoint, which speaks for somebody else
 */
public record AdmittedPeer(PeerSvid svid, boolean isWaypoint) {}
