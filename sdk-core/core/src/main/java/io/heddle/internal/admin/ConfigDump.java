// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.internal.state.MeshSnapshot;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything a mesh knows, in the shape of HBONE reference 7.6, which {@code istioctl
 * ztunnel-config ... --file} reads. Any thread may ask; a large mesh takes its time.
 */
public final class ConfigDump {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Supplier<MeshSnapshot> mesh;
  private final SpiffeId id;
  private final SvidSource identity;

  /**
   * Dumps one mesh.
   *
   * @param mesh what it knows now
   * @param id who it is
   * @param identity where its certificate comes from
   */
  public ConfigDump(Supplier<MeshSnapshot> mesh, SpiffeId id, SvidSource identity) {
    this.mesh = mesh;
    this.id = id;
    this.identity = identity;
  }

  /** The dump as JSON. No private key and no token is in it. */
  public String write() {
    MeshSnapshot now = mesh.get();
    ObjectNode dump = DumpJson.object();
    dump.set("workloads", WorkloadDump.of(now.workloads()));
    dump.set("services", ServiceDump.of(now));
    dump.set("policies", PolicyDump.of(now.policies().policies()));
    dump.set("certificates", CertificateDump.of(List.of(held())));
    dump.putObject("version").put("version", version());
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(dump);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot be written", e);
    }
  }

  private CertificateDump.Held held() {
    return new CertificateDump.Held(id, identity.health(), snapshot());
  }

  private @Nullable IdentitySnapshot snapshot() {
    try {
      return identity.current();
    } catch (IdentityException.Unavailable noneYet) {
      return null;
    }
  }

  private static String version() {
    String version = ConfigDump.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
