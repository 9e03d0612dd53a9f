// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The control plane's side of the state: workloads, services and policies by incremental discovery.
 *
 * <p>{@link io.heddle.internal.xds.AdsClient} holds one stream to the control plane and starts
 * another when it ends; {@link io.heddle.internal.xds.DeltaStream} speaks the protocol on it, one
 * {@link io.heddle.internal.xds.Subscription} a type of resource survives it. Resources are decoded
 * one by one into a {@link io.heddle.internal.xds.ResourceSink}, which applies a response as one
 * batch. Everything but the public entry points runs on one thread. What is done with the state is
 * not known here.
 */
@NullMarked
package io.heddle.internal.xds;

import org.jspecify.annotations.NullMarked;
