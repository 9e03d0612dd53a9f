// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.dev.internal.fault.Deviation;

/** Ways in which a {@link LocalControlPlane} can fail its clients while it listens. */
public enum Fault {
  /** Discovery streams end at once, as those of a control plane that is still starting. */
  NOT_READY(Deviation.NOT_READY),
  /** It takes calls and never answers, neither discovery nor certificate requests. */
  HANG(Deviation.NO_ANSWER),
  /** The resources it sends are unreadable. */
  UNREADABLE_RESOURCES(Deviation.UNREADABLE_RESOURCES),
  /** It sends resources of a type that nobody asked for. */
  UNKNOWN_TYPES(Deviation.UNKNOWN_TYPES),
  /** What it sends is no message at all. */
  BROKEN_MESSAGES(Deviation.BROKEN_MESSAGES),
  /** Each discovery stream breaks after its first answer. */
  FLAP(Deviation.STREAMS_END),
  /** It refuses all certificate requests. */
  REFUSE_CERTIFICATES(Deviation.NO_CERTIFICATES),
  /** It never answers certificate requests. */
  HANG_CERTIFICATES(Deviation.CERTIFICATES_UNANSWERED),
  /** It certifies somebody else than the caller. */
  WRONG_IDENTITY(Deviation.WRONG_IDENTITY),
  /** It answers certificate requests without a certificate. */
  EMPTY_CHAIN(Deviation.EMPTY_CHAIN);

  private final Deviation deviation;

  Fault(Deviation deviation) {
    this.deviation = deviation;
  }

  Deviation deviation() {
    return deviation;
  }
}
