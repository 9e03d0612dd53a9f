// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A certificate authority that answers as istiod's built-in one (control-plane reference 4): root,
 * intermediate, and leaves for whoever the token proves.
 */
@NullMarked
package io.heddle.dev.internal.ca;

import org.jspecify.annotations.NullMarked;
