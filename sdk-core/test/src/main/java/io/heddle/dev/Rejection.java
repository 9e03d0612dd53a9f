// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

/**
 * A client's refusal of resources that a {@link LocalControlPlane} sent.
 *
 * @param nodeId the client, as it names itself
 * @param typeUrl the type of the resources
 * @param message what the client said about them
 */
public record Rejection(String nodeId, String typeUrl, String message) {}
