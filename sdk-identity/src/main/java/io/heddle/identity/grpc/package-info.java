// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The way to a control plane, and the identity that Istio's certificate authority issues there.
 *
 * <p>{@link io.heddle.identity.grpc.ControlPlane} says where it is, whom to trust and how to log
 * in; {@link io.heddle.identity.grpc.IstioCaSource} asks it for certificates. The types of gRPC
 * show in this package only.
 */
@NullMarked
package io.heddle.identity.grpc;

import org.jspecify.annotations.NullMarked;
