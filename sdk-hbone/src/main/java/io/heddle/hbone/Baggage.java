// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.util.List;

/**
 * Who is at one end of a tunnel, as the {@code baggage} header tells it for telemetry. It is
 * claimed, not proven: never decide access by it. An empty field is unset.
 *
 * @param clusterName the cluster
 * @param namespace the namespace
 * @param workloadType what owns the workload; of no meaning while the name is unset
 * @param workloadName the owner's name
 * @param serviceName the canonical service name
 * @param serviceVersion the canonical revision
 * @param region the region of the locality
 * @param zone the zone of the locality
 */
public record Baggage(
    String clusterName,
    String namespace,
    WorkloadType workloadType,
    String workloadName,
    String serviceName,
    String serviceVersion,
    String region,
    String zone) {

  /** Nothing known. */
  public static final Baggage EMPTY = new Baggage("", "", WorkloadType.POD, "", "", "", "", "");

  private static final String CLUSTER = "k8s.cluster.name";
  private static final String NAMESPACE = "k8s.namespace.name";
  private static final String SERVICE = "service.name";
  private static final String VERSION = "service.version";
  private static final String REGION = "cloud.region";
  private static final String ZONE = "cloud.availability_zone";

  /**
   * Writes the header: the fields that are set, in the order of HBONE, without escapes. A value
   * that the format cannot carry (a comma, a semicolon, an equals sign, white space, anything not
   * ASCII) is left out.
   *
   * @return the value of the header, empty when no field is set
   */
  public String encode() {
    StringBuilder text = new StringBuilder(160);
    append(text, CLUSTER, clusterName);
    append(text, NAMESPACE, namespace);
    append(text, "k8s." + workloadType.label() + ".name", workloadName);
    append(text, SERVICE, serviceName);
    append(text, VERSION, serviceVersion);
    append(text, REGION, region);
    append(text, ZONE, zone);
    return text.toString();
  }

  /**
   * Reads the header.
   *
   * @param line the value of a header line
   * @return what it says
   */
  public static Baggage parse(String line) {
    return parse(List.of(line));
  }

  /**
   * Reads the header from all its lines; where a key comes twice the later one holds. Unknown keys
   * and members that are not {@code key=value} are skipped, a line that is not ASCII is ignored.
   *
   * @param lines the values of the header lines, in order
   * @return what they say
   */
  public static Baggage parse(List<String> lines) {
    Reader reader = new Reader();
    for (String line : lines) {
      if (HeaderText.isAscii(line)) {
        for (String member : line.split(",", -1)) {
          reader.take(member);
        }
      }
    }
    return reader.baggage();
  }

  private static void append(StringBuilder text, String key, String value) {
    if (value.isEmpty() || !HeaderText.isBaggageValue(value)) {
      return;
    }
    if (text.length() > 0) {
      text.append(',');
    }
    text.append(key).append('=').append(value);
  }

  /** Collects members. As peers do: no trimming, no decoding, only the piece after the first =. */
  private static final class Reader {
    private String cluster = "";
    private String namespace = "";
    private WorkloadType type = WorkloadType.POD;
    private String workload = "";
    private String service = "";
    private String version = "";
    private String region = "";
    private String zone = "";

    void take(String member) {
      String[] pieces = member.split("=", -1);
      if (pieces.length < 2) {
        return;
      }
      String value = pieces[1];
      switch (pieces[0]) {
        case CLUSTER -> cluster = value;
        case NAMESPACE -> namespace = value;
        case SERVICE -> service = value;
        case VERSION -> version = value;
        case REGION -> region = value;
        case ZONE -> zone = value;
        default -> takeWorkload(pieces[0], value);
      }
    }

    private void takeWorkload(String key, String value) {
      for (WorkloadType candidate : WorkloadType.values()) {
        if (key.equals("k8s." + candidate.label() + ".name")) {
          type = candidate;
          workload = value;
        }
      }
    }

    Baggage baggage() {
      return new Baggage(cluster, namespace, type, workload, service, version, region, zone);
    }
  }
}
