// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.CodedOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a new stream is told about the resources that are held, and what its first answer means for
 * them (DESIGN D5).
 *
 * <p>Names of accepted resources are listed with their versions as long as they fit into a request.
 * Of a name that was listed, silence means that nothing changed; of one that was not, that it is no
 * more. A control plane that sends again, unchanged, what was listed has not read the list: its
 * answer is everything that exists.
 */
final class Reconciliation {

  /** The tags and lengths around a name and a version. */
  static final int ENTRY_OVERHEAD = 8;

  private final boolean wildcard;
  private final VersionTable accepted;

  /** The listed names if not all that are held could be listed. */
  private final Set<String> listed = new HashSet<>();

  private final boolean complete;
  private final VersionTable sent;
  private boolean listWasRead = true;

  private Reconciliation(
      boolean wildcard, VersionTable accepted, boolean complete, RandomGenerator random) {
    this.wildcard = wildcard;
    this.accepted = accepted;
    this.complete = complete;
    this.sent = new VersionTable(random);
  }

  /**
   * Lists what is held.
   *
   * @param requestBytes how much the list may take
   * @param list is given the names and versions
   * @return what to do with the first answer; null if nothing is held
   */
  static @Nullable Reconciliation begin(
      ResourceSink sink,
      VersionTable accepted,
      boolean wildcard,
      int requestBytes,
      RandomGenerator random,
      BiConsumer<String, String> list) {
    Listing listing = new Listing(accepted, requestBytes, list);
    sink.forEachHeld(listing::offer);
    if (listing.held == 0) {
      return null;
    }
    boolean complete = listing.listed.size() == listing.held;
    Reconciliation begun = new Reconciliation(wildcard, accepted, complete, random);
    if (!complete) {
      begun.listed.addAll(listing.listed);
    }
    return begun;
  }

  /** The first answer holds a resource. To be told before its version is recorded. */
  void sent(String name, String version) {
    if (wasListed(name) && version.equals(accepted.get(name))) {
      listWasRead = false;
    }
    sent.put(name, "0");
  }

  /** The held names that the first answer shows to be gone. */
  List<String> stale(ResourceSink sink) {
    List<String> stale = new ArrayList<>();
    boolean everything = wildcard && !listWasRead;
    if (everything || !complete) {
      sink.forEachHeld(
          name -> {
            if (!sent.contains(name) && (everything || !wasListed(name))) {
              stale.add(name);
            }
          });
    }
    return stale;
  }

  private boolean wasListed(String name) {
    return complete ? accepted.contains(name) : listed.contains(name);
  }

  private static final class Listing {

    private final VersionTable accepted;
    private final BiConsumer<String, String> list;
    private final List<String> listed = new ArrayList<>();
    private int room;
    private int held;

    Listing(VersionTable accepted, int room, BiConsumer<String, String> list) {
      this.accepted = accepted;
      this.room = room;
      this.list = list;
    }

    void offer(String name) {
      held++;
      String version = accepted.get(name);
      if (version == null) {
        // Rejected in its latest form: listed, it would count as delivered.
        return;
      }
      int size =
          ENTRY_OVERHEAD
              + CodedOutputStream.computeStringSizeNoTag(name)
              + CodedOutputStream.computeStringSizeNoTag(version);
      if (size <= room) {
        room -= size;
        listed.add(name);
        list.accept(name, version);
      }
    }
  }
}
