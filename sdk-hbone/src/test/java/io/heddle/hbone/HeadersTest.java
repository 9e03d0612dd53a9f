// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadersTest {
  private static final Baggage FULL =
      new Baggage("c1", "shop", WorkloadType.CRONJOB, "batch-7", "batch", "v2", "eu-1", "eu-1a");

  @ParameterizedTest(name = "OUT-20 forwarded for {0} and service {1}")
  @CsvSource({
    "10.0.0.1, , 'for=\"10.0.0.1:40000\"'",
    "10.0.0.1, web.shop, 'for=\"10.0.0.1:40000\";host=web.shop'",
    "2001:db8::7, web.shop, 'for=\"[2001:db8::7]:40000\";host=web.shop'",
  })
  void forwarded(String source, String host, String expected) throws UnknownHostException {
    assertThat(new Forwarded(InetAddress.getByName(source), 40000, host).encode())
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "INB-08 host of {0}")
  @CsvSource({
    "host=web.shop, web.shop",
    "'for=\"10.0.0.1:1\";host=web.shop', web.shop",
    "'for=\"10.0.0.1:1\";host=\"web.shop\"', web.shop",
    "'for=\"10.0.0.1:1\"', ",
    "host=, ",
    "'host=\"\"', ",
    "Host=web.shop, ",
    "host=wéb, ",
  })
  void forwardedHost(String header, String expected) {
    assertThat(Forwarded.parseHost(header).orElse(null)).isEqualTo(expected);
  }

  @Test
  @DisplayName("INB-09 baggage is read in full, and what we write comes back")
  void baggageRoundTrip() {
    String header =
        "k8s.cluster.name=c1,k8s.namespace.name=shop,k8s.cronjob.name=batch-7,service.name=batch,"
            + "service.version=v2,cloud.region=eu-1,cloud.availability_zone=eu-1a";
    assertThat(FULL.encode()).isEqualTo(header);
    assertThat(Baggage.parse(header)).isEqualTo(FULL);
    assertThat(Baggage.parse(Baggage.EMPTY.encode())).isEqualTo(Baggage.EMPTY);
    assertThat(Baggage.EMPTY.encode()).isEmpty();
  }

  @Test
  @DisplayName("empty values of baggage are unset, of several lines the later wins")
  void baggageMerge() {
    assertThat(Baggage.parse("k8s.namespace.name=,service.name=a").namespace()).isEmpty();
    Baggage merged =
        Baggage.parse(
            List.of(
                "service.name=a,cloud.region=r1", "x", "k8s.job.name=ü", "service.name=b,other=1"));
    assertThat(merged.serviceName()).isEqualTo("b");
    assertThat(merged.region()).isEqualTo("r1");
    assertThat(merged.workloadName()).isEmpty();
    assertThat(Baggage.parse(List.of())).isEqualTo(Baggage.EMPTY);
  }

  @Test
  @DisplayName("baggage leaves out a value that would break the header")
  void baggageInjection() {
    Baggage odd = new Baggage("a,b", "shop", WorkloadType.POD, "x=y", "s\r\nt", "é", "r 1", "z");
    assertThat(odd.encode()).isEqualTo("k8s.namespace.name=shop,cloud.availability_zone=z");
  }

  @Test
  @DisplayName("a traceparent is 55 characters of version 00 and not all zero")
  void traceparent() {
    Traceparent random = Traceparent.random(new SplittableRandom(7));
    assertThat(random.value()).hasSize(55).startsWith("00-").endsWith("-00");
    assertThat(Traceparent.parse(random.value())).contains(random);
    assertThat(random.value()).contains(random.traceId()).contains(random.spanId());
    assertThat(Traceparent.parse(random.value().toUpperCase(Locale.ROOT))).isEmpty();
    assertThat(Traceparent.parse(random.value() + "0")).isEmpty();
    assertThat(Traceparent.parse("00-" + "0".repeat(32) + "-" + "1".repeat(16) + "-00")).isEmpty();
  }

  @Test
  @DisplayName("a header that would split into two is refused")
  void headerInjection() {
    assertThatThrownBy(() -> new TunnelHeaders("a\r\nb", null, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("baggage");
  }

  @ParameterizedTest(name = "settings refuse {0} = {1}")
  @CsvSource({"streamWindowBytes,0", "connectionWindowBytes,65534", "maxFrameBytes,16777216"})
  void settings(String name, int value) {
    HboneSettingsBuilder builder = HboneSettings.defaults().toBuilder();
    switch (name) {
      case "streamWindowBytes" -> builder.streamWindowBytes(value);
      case "connectionWindowBytes" -> builder.connectionWindowBytes(value);
      default -> builder.maxFrameBytes(value);
    }
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
  }
}
