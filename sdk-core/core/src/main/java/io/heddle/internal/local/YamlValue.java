// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of the text together with its place. A value that is not what is asked for is reported,
 * and null or an empty list takes its place.
 */
final class YamlValue {

  private final Reading reading;
  private final Node node;
  private final String path;

  YamlValue(Reading reading, Node node, String path) {
    this.reading = reading;
    this.node = node;
    this.path = path;
  }

  Reading reading() {
    return reading;
  }

  Node node() {
    return node;
  }

  String path() {
    return path;
  }

  void reject(String what, String advice) {
    reading.reject(node, path, what, advice);
  }

  /** Whether there is a key without a value, or {@code null}. */
  boolean isNull() {
    return node.getTag().equals(Tag.NULL);
  }

  /** The name of a tag such as {@code !Exact}, or null when the value has no such tag. */
  @Nullable String ownTag() {
    String tag = node.getTag().getValue();
    return tag.startsWith("!") && tag.length() > 1 ? tag.substring(1) : null;
  }

  /** The same value without its tag. */
  YamlValue untagged() {
    Node bare =
        node instanceof ScalarNode scalar
            ? new ScalarNode(
                Tag.STR,
                true,
                scalar.getValue(),
                scalar.getScalarStyle(),
                node.getStartMark(),
                node.getEndMark())
            : node;
    return reading.value(bare, path);
  }

  @Nullable String text() {
    if (node instanceof ScalarNode scalar && !isNull() && ownTag() == null) {
      return scalar.getValue();
    }
    reject("expected a text, found " + kind(), "");
    return null;
  }

  /** A text that must be read further; the reader throws IllegalArgumentException with a reason. */
  <T> @Nullable T parsed(Function<String, T> parser, String advice) {
    String text = text();
    if (text == null) {
      return null;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException malformed) {
      reject(String.valueOf(malformed.getMessage()), advice);
      return null;
    }
  }

  @Nullable Long number(long min, long max) {
    return parsed(
        text -> {
          boolean digits = !text.isEmpty() && text.length() <= 10;
          for (int i = 0; i < text.length(); i++) {
            digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
          }
          long number = digits ? Long.parseLong(text) : -1;
          if (number < min || number > max) {
            throw new IllegalArgumentException("'" + text + "' is not in range");
          }
          return number;
        },
        "expected a whole number from " + min + " to " + max);
  }

  @Nullable Boolean flag() {
    return choice(Map.of("true", true, "false", false));
  }

  <E> @Nullable E choice(Map<String, E> known) {
    String text = text();
    if (text == null) {
      return null;
    }
    E chosen = known.get(text);
    if (chosen == null) {
      reject("'" + text + "' is not known here", Spelling.advice(text, known.keySet()));
    }
    return chosen;
  }

  /** Reads each item; those that cannot be read are left out. */
  <T> List<T> items(Function<YamlValue, @Nullable T> reader) {
    List<T> items = new ArrayList<>();
    if (node instanceof SequenceNode sequence && ownTag() == null) {
      int i = 0;
      for (Node item : sequence.getValue()) {
        T read = reader.apply(reading.value(item, path + "[" + i++ + "]"));
        if (read != null) {
          items.add(read);
        }
      }
    } else {
      reject("expected a list, found " + kind(), "");
    }
    return items;
  }

  YamlMapping mapping() {
    return YamlMapping.of(this);
  }

  String kind() {
    if (ownTag() != null) {
      return "a value tagged !" + ownTag();
    }
    return switch (node.getNodeType()) {
      case SCALAR -> isNull() ? "nothing" : "'" + ((ScalarNode) node).getValue() + "'";
      case SEQUENCE -> "a list";
      case MAPPING -> "a mapping";
      case ANCHOR -> "an alias";
    };
  }
}
