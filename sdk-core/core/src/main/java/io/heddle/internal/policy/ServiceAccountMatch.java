// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

/**
 * Accepts one service account of one namespace, in whatever trust domain.
 *
 * @param namespace the namespace
 * @param serviceAccount the service account's name
 */
public record ServiceAccountMatch(String namespace, String serviceAccount) {}
