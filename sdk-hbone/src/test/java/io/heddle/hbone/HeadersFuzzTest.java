// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that peers claim things in: whatever they say is read, or not, without an exception. */
class HeadersFuzzTest {

  @ValueSource(
      strings = {
        "k8s.cluster.name=c1,k8s.namespace.name=shop,k8s.cronjob.name=b,service.name=b",
        "service.version=v2,cloud.region=eu-1,cloud.availability_zone=eu-1a,service.version=v3",
        "service.name==,=,k8s..name=x,k8s.pod.name=a b,service.name=\u00e9",
        "for=\"10.0.0.1:40000\";host=web.shop",
        "for=\"[2001:db8::7]:1\";host=\"web\"",
        "host=\";host=a",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-00",
        ""
      })
  @FuzzTest
  void parse(@NotNull String text) {
    baggage(text);
    Optional<String> host = Forwarded.parseHost(text);
    host.ifPresent(name -> assertThat(name).isASCII().isNotEmpty());
    Optional<Traceparent> traceparent = Traceparent.parse(text);
    if (traceparent.isPresent()) {
      assertThat(traceparent.get()).hasToString(text);
      assertThat(text).contains(traceparent.get().traceId(), traceparent.get().spanId());
    }
  }

  /** What we would pass on of it, peers read as the same. */
  private static void baggage(String text) {
    Baggage read = Baggage.parse(text);
    assertThat(Baggage.parse(List.of(text))).isEqualTo(read);
    String encoded = read.encode();
    assertThat(HeaderText.isFieldValue(encoded)).isTrue();
    Baggage again = Baggage.parse(encoded);
    assertThat(again.encode()).isEqualTo(encoded);
    if (HeaderText.isBaggageValue(read.workloadName()) && !read.workloadName().isEmpty()) {
      assertThat(again.workloadType()).isEqualTo(read.workloadType());
      assertThat(again.workloadName()).isEqualTo(read.workloadName());
    }
  }
}
