// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.TrustDomain;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and what is said about it. */
class LocalConfigProblemsTest {

  @ParameterizedTest(name = "workload with {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "workloadIp: x | workloadIp: there is no field 'workloadIp' here; did you mean 'workloadIps'?",
        "workload_ips: [] | workload_ips: there is no field 'workload_ips' here; did you mean 'workloadIps'?",
        "protocol: NONE | protocol: 'NONE' is not known here; use one of: HBONE, TCP",
        "status: healthy | status: 'healthy' is not known here; did you mean 'Healthy'?",
        "networkMode: [] | networkMode: expected a text, found a list",
        "capacity: -1 | capacity: '-1' is not in range; expected a whole number from 0 to 4294967295",
        "capacity: 1.5 | capacity: '1.5' is not in range; expected a whole number from 0 to 4294967295",
        "nativeTunnel: yes | nativeTunnel: 'yes' is not known here; use one of: false, true",
        "locality: eu | locality: expected a mapping, found 'eu'",
        "locality: {regoin: eu} | locality.regoin: there is no field 'regoin' here; did you mean 'region'?",
        "trustDomain: a/b | trustDomain: ",
        "serviceAccount: a/b | namespace and service account make no SPIFFE id: ",
        "waypoint: {destination: wp} | waypoint.destination: 'wp' is not namespace/hostname; write network/ip (/ip in the default network) or namespace/hostname",
        "waypoint: {hboneMtlsPort: 15008} | waypoint: 'destination' is missing",
        "waypoint: {destination: a/b, hboneMtlsPort: 70000} | waypoint.hboneMtlsPort: '70000' is not in range; expected a whole number from 0 to 65535",
        "applicationTunnel: {port: 1} | applicationTunnel: 'protocol' is missing",
        "name: !Exact x | name: expected a text, found a value tagged !Exact",
        "name: {} | name: expected a text, found a mapping",
        "uid: b | uid: the key is already on line 2; keep one of them",
        "authorizationPolicies: x | authorizationPolicies: expected a list, found 'x'",
        "<<: {name: x} | [\"<<\"]: there is no field '<<' here; use one of: ",
        "? [a] | a key that is not a text",
      })
  void workloadProblems(String field, String expected) {
    List<Problem> problems =
        problems(
            """
            workloads:
            - uid: a
              namespace: shop
              workloadIps: []
              services: {}
              %s
            """
                .formatted(field));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString().replaceFirst("^line [26], workloads\\[0\\]\\.?(: )?", ""))
        .startsWith(expected);
  }

  @ParameterizedTest(name = "services of a workload: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{web: {80: 80}} | .web: 'web' is not namespace/hostname; write the service's namespace and hostname",
        "{a/b/c: {80: 80}} | [\"a/b/c\"]: 'a/b/c' is not namespace/hostname; write the service's namespace and hostname",
        "{a/b: {0: 80}} | [\"a/b\"].0: '0' is not in range; expected a whole number from 1 to 65535",
        "{a/b: {80: 70000}} | [\"a/b\"].80: '70000' is not in range; expected a whole number from 0 to 65535",
        "{a/b: {80: 80, 80: 81}} | [\"a/b\"].80: the key is already on line 5; keep one of them",
        "{a/b: [80]} | [\"a/b\"]: expected a mapping, found a list",
        "[a/b] | : expected a mapping, found a list",
      })
  void portProblems(String services, String expected) {
    List<Problem> problems =
        problems(
            """
            workloads:
            - uid: a
              namespace: shop
              workloadIps: []
              services: %s
            """
                .formatted(services));

    assertThat(problems)
        .extracting(Problem::toString)
        .containsExactly("line 5, workloads[0].services" + expected);
  }

  @ParameterizedTest(name = "service with {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "vips: [10.0.0.1] | vips[0]: '10.0.0.1' has no network (expected network/ip, or /ip for the default network)",
        "vips: [net-a/10.0.0] | vips[0]: '10.0.0' is not an IP address",
        "vips: [net-a/10.0.0.0/8] | vips[0]: '10.0.0.0/8' is not an IP address",
        "cidrVips: [{cidr: 10.0.0.0/33}] | cidrVips[0].cidr: ",
        "cidrVips: [10.0.0.0/8] | cidrVips[0]: expected a mapping, found '10.0.0.0/8'",
        "endpoints: {a: {}} | endpoints: endpoints are made from the workloads; list the service in",
        "loadBalancer: {mode: Failover, routingPreferences: [Regoin]} | loadBalancer.routingPreferences[0]: 'Regoin' is not known here; did you mean 'Region'?",
        "weightedWaypoints: [{weight: 1}] | weightedWaypoints[0]: 'destination' is missing",
        "weightedWaypoints: [{destination: a/b, wieght: 1}] | weightedWaypoints[0].wieght: there is no field 'wieght' here; did you mean 'weight'?",
        "ipFamilies: ipv4 | ipFamilies: 'ipv4' is not known here; did you mean 'IPv4'?",
      })
  void serviceProblems(String field, String expected) {
    String others = field.startsWith("vips") ? "" : "vips: [], ";
    List<Problem> problems =
        problems(
            """
            services:
            - {name: a, namespace: shop, hostname: a.test, ports: {}, %s
               %s}
            """
                .formatted(others, field));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).startsWith("line 3, services[0]." + expected);
  }

  @ParameterizedTest(name = "match with {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "principals: [web] | principals[0]: found 'web'; write how to compare: !Exact x,",
        "principals: [!Regex web] | principals[0]: there is no comparison 'Regex'; use one of: Exact,",
        "principals: [!exact web] | principals[0]: there is no comparison 'exact'; did you mean 'Exact'?",
        "principals: [{Exact: a, Prefix: b}] | principals[0]: found a mapping; write how to compare",
        "principals: [{Exact: [a]}] | principals[0].Exact: expected a text, found a list",
        "principals: [{Exact: }] | principals[0].Exact: expected a text, found nothing",
        "principals: [!Presence [a]] | principals[0]: presence compares with nothing",
        "principals: !Exact x | principals: expected a list, found a value tagged !Exact",
        "sourceIps: [10.0.0.0/40] | sourceIps[0]: ",
        "destinationPorts: [http] | destinationPorts[0]: 'http' is not in range",
        "serviceAccounts: [shop/web] | serviceAccounts[0]: expected a mapping, found 'shop/web'",
        "principal: [] | principal: there is no field 'principal' here; did you mean 'principals'?",
      })
  void policyProblems(String match, String expected) {
    List<Problem> problems =
        problems(
            """
            policies:
            - {name: p, namespace: shop, scope: Namespace, action: Deny, rules: [[[
                {%s}]]]}
            """
                .formatted(match));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString())
        .startsWith("line 3, policies[0].rules[0][0][0]." + expected);
  }

  @Test
  @DisplayName("what is missing, taken or of the wrong kind in several places is named in one go")
  void severalProblems() {
    assertThat(
            problems(
                """
                workloads:
                - {}
                - 5
                services:
                - {name: a, namespace: shop, hostname: a.test, vips: [], ports: {}}
                - {name: b, namespace: shop, hostname: a.test, vips: [], ports: {}}
                policies:
                - {name: p, namespace: shop, scope: Namspace, rules: []}
                - {name: q, namespace: shop, scope: Namespace, action: Deny, rules: []}
                - {name: q, namespace: shop, scope: Global, action: Deny, rules: []}
                """))
        .extracting(Problem::toString)
        .containsExactly(
            "line 2, workloads[0]: 'workloadIps' is missing",
            "line 2, workloads[0]: 'namespace' is missing",
            "line 2, workloads[0]: a workload needs a 'uid', or at least a 'name'",
            "line 2, workloads[0]: 'services' is missing",
            "line 3, workloads[1]: expected a mapping, found '5'",
            "line 6, services[1]: the service 'shop/a.test' is taken since line 5; give it another"
                + " name",
            "line 8, policies[0].scope: 'Namspace' is not known here; did you mean 'Namespace'?",
            "line 8, policies[0]: 'action' is missing",
            "line 10, policies[2]: the policy 'shop/q' is taken since line 9; give it another"
                + " name");
  }

  @ParameterizedTest(name = "a text that is no configuration: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | line 1: there is nothing in it; write 'workloads: []' if that is meant",
        "# only a comment | line 1: there is nothing in it; write 'workloads: []' if that is meant",
        "just text | line 1: expected a mapping, found 'just text'",
        "[] | line 1: expected a mapping, found a list",
        "workloads: [ | line 1: this is not YAML; ",
        "'a: 1\n---\nb: 2' | line 2: this is not YAML; ",
        "'workloads: *nothing' | line 1: this is not YAML; ",
        "'workloads:\n\t- x' | line 2: this is not YAML; ",
        "'a: \u0007' | line 1: this cannot be read; ",
      })
  void noConfiguration(String yaml, String expected) {
    List<Problem> problems = problems(yaml.translateEscapes());

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).startsWith(expected);
  }

  @Test
  @DisplayName("aliases that unfold to very much are refused")
  void aliasBomb() {
    String laughs = "[" + "*m,".repeat(99) + "*m]";
    String rules = "[" + "*c,".repeat(99) + "*c]";
    assertThat(
            problems(
                """
                policies:
                - {name: a, namespace: s, scope: Global, action: Deny, rules: [[[&m {}]]]}
                - {name: b, namespace: s, scope: Global, action: Deny, rules: [[&c %s]]}
                - {name: c, namespace: s, scope: Global, action: Deny, rules: [&r %s]}
                - {name: d, namespace: s, scope: Global, action: Deny, rules: [%s]}
                """
                    .formatted(laughs, rules, rules.replace("*c", "*r"))))
        .last()
        .extracting(Problem::what)
        .isEqualTo("aliases unfold this text to many times its size");
  }

  @Test
  @DisplayName("a text nested without end is refused before it costs the stack")
  void endlessNesting() {
    assertThat(problems("workloads: " + "[".repeat(100_000)))
        .extracting(Problem::toString)
        .containsExactly("line 1: more than 50 levels of nesting");
  }

  @Test
  @DisplayName("an alias that contains itself is refused, not followed")
  void recursiveAlias() {
    assertThat(problems("workloads: &w [*w]"))
        .extracting(Problem::toString)
        .containsExactly("line 1, workloads[0]: expected a mapping, found a list");
  }

  @Test
  @DisplayName("a text that is wrong all over is given up after a hundred problems")
  void manyProblems() {
    String workloads =
        IntStream.range(0, 500).mapToObj(i -> "- " + i + "\n").collect(Collectors.joining());

    assertThat(problems("workloads:\n" + workloads)).hasSize(100);
  }

  private static List<Problem> problems(String yaml) {
    InvalidLocalConfigException invalid =
        catchThrowableOfType(
            InvalidLocalConfigException.class,
            () -> LocalConfig.parse(yaml, "test", TrustDomain.parse("mesh.test")));
    return invalid.problems();
  }
}
