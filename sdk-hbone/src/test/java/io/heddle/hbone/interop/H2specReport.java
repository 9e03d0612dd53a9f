// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What h2spec found, by case. A case is named as h2spec takes it on its command line: the section
 * and the number within it, as in {@code http2/5.1/8}.
 *
 * @param outcomes {@code passed}, {@code failed} or {@code skipped}
 * @param descriptions the case in h2spec's words, and what it saw if it failed
 */
record H2specReport(Map<String, String> outcomes, Map<String, String> descriptions) {

  static H2specReport read(Path file) throws IOException {
    Map<String, String> outcomes = new TreeMap<>();
    Map<String, String> descriptions = new TreeMap<>();
    NodeList suites = parse(file).getElementsByTagName("testsuite");
    for (int s = 0; s < suites.getLength(); s++) {
      Element suite = (Element) suites.item(s);
      NodeList cases = suite.getElementsByTagName("testcase");
      for (int c = 0; c < cases.getLength(); c++) {
        Element one = (Element) cases.item(c);
        String id = suite.getAttribute("package") + "/" + (c + 1);
        outcomes.put(id, outcome(one));
        descriptions.put(id, one.getAttribute("classname") + one.getTextContent());
      }
    }
    return new H2specReport(outcomes, descriptions);
  }

  private static String outcome(Element testCase) {
    for (Node child = testCase.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        return element.getTagName().equals("skipped") ? "skipped" : "failed";
      }
    }
    return "passed";
  }

  private static Document parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("no report of h2spec: " + file, e);
    }
  }
}
