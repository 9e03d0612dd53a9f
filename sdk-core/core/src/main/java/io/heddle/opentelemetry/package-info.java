// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Istio's four TCP metrics through the OpenTelemetry API; the host owns the SDK and its exporters.
 */
@NullMarked
package io.heddle.opentelemetry;

import org.jspecify.annotations.NullMarked;
