// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {

  private static final Map<String, Statistics> RATIOS =
      Map.of(
          "rr.rate_vs_mtls", new Statistics(1.25, 1, 2),
          "idle.bytes_per_tunnel", new Statistics(1024, 1000, 1100));

  @Test
  void aBarIsAsLongAsItsKeyIsTowardsItsGoal() throws Exception {
    Document chart = parse(Chart.svg(RATIOS, "here"));

    double full = width(elements(chart, "rect", "track").get(0));
    assertThat(width(elements(chart, "rect", "missed").get(0))).isEqualTo(full / 4);
    assertThat(width(elements(chart, "rect", "met").get(0))).isEqualTo(full);
  }

  @Test
  void everyMeasuredKeyIsNamedAndNoOther() throws Exception {
    Document chart = parse(Chart.svg(RATIOS, "here"));

    assertThat(elements(chart, "text", "key"))
        .extracting(Element::getTextContent)
        .containsExactly("rr.rate_vs_mtls", "idle.bytes_per_tunnel");
  }

  @Test
  void conditionsAreEscaped() throws Exception {
    Document chart = parse(Chart.svg(RATIOS, "JDK <17> & more"));

    assertThat(elements(chart, "text", "small").get(0).getTextContent())
        .isEqualTo("JDK <17> & more");
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<Element> elements(Document in, String tag, String kind) {
    NodeList all = in.getElementsByTagName(tag);
    List<Element> found = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (element.getAttribute("class").equals(kind)) {
        found.add(element);
      }
    }
    return found;
  }

  private static double width(Element bar) {
    return Double.parseDouble(bar.getAttribute("width"));
  }
}
