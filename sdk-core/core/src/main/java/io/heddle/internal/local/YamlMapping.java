// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A mapping of the text, read field by field. A field without a value counts as absent. Whoever
 * reads one calls {@link #rejectOthers} at the end, when all known fields have been asked for.
 */
final class YamlMapping {

  /** A field as it is written. */
  private record Field(Node key, YamlValue value) {}

  private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9_]+");

  private final YamlValue self;
  private final boolean isMapping;
  private final Map<String, Field> fields = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  private YamlMapping(YamlValue self, boolean isMapping) {
    this.self = self;
    this.isMapping = isMapping;
  }

  static YamlMapping of(YamlValue value) {
    boolean isMapping = value.node() instanceof MappingNode && value.ownTag() == null;
    YamlMapping mapping = new YamlMapping(value, isMapping);
    if (isMapping) {
      for (NodeTuple tuple : ((MappingNode) value.node()).getValue()) {
        mapping.add(tuple);
      }
    } else {
      value.reject("expected a mapping, found " + value.kind(), "");
    }
    return mapping;
  }

  private void add(NodeTuple tuple) {
    Node key = tuple.getKeyNode();
    if (!(key instanceof ScalarNode scalar)) {
      self.reading().reject(key, self.path(), "a key that is not a text", "");
      return;
    }
    String name = scalar.getValue();
    Field former = fields.get(name);
    if (former != null) {
      self.reading()
          .reject(
              key,
              pathOf(name),
              "the key is already on line " + Reading.lineOf(former.key()),
              "keep one of them");
      return;
    }
    fields.put(name, new Field(key, self.reading().value(tuple.getValueNode(), pathOf(name))));
  }

  YamlValue self() {
    return self;
  }

  /** The key of the one entry, if there is just one. */
  @Nullable String onlyKey() {
    return fields.size() == 1 ? fields.keySet().iterator().next() : null;
  }

  @Nullable YamlValue field(String name) {
    known.add(name);
    Field field = fields.get(name);
    return field == null || field.value().isNull() ? null : field.value();
  }

  /** The value of a key that is no field name, even if it is null. */
  @Nullable YamlValue raw(String name) {
    Field field = fields.get(name);
    return field == null ? null : field.value();
  }

  @Nullable YamlValue required(String name) {
    YamlValue value = field(name);
    if (value == null && isMapping) {
      self.reject("'" + name + "' is missing", "");
    }
    return value;
  }

  String text(String name, String otherwise) {
    return orElse(field(name), YamlValue::text, otherwise);
  }

  String requiredText(String name) {
    return orElse(required(name), YamlValue::text, "");
  }

  boolean flag(String name) {
    return orElse(field(name), YamlValue::flag, false);
  }

  long number(String name, long otherwise, long max) {
    return orElse(field(name), value -> value.number(0, max), otherwise);
  }

  int port(String name, int otherwise) {
    return (int) number(name, otherwise, 65_535);
  }

  <E> E choice(String name, Map<String, E> choices, E otherwise) {
    return orElse(field(name), value -> value.choice(choices), otherwise);
  }

  <E> @Nullable E requiredChoice(String name, Map<String, E> choices) {
    YamlValue value = required(name);
    return value == null ? null : value.choice(choices);
  }

  <T> List<T> list(String name, Function<YamlValue, @Nullable T> reader) {
    YamlValue value = field(name);
    return value == null ? List.of() : value.items(reader);
  }

  <T> List<T> requiredList(String name, Function<YamlValue, @Nullable T> reader) {
    YamlValue value = required(name);
    return value == null ? List.of() : value.items(reader);
  }

  <T> @Nullable T object(String name, Function<YamlMapping, @Nullable T> reader) {
    YamlValue value = field(name);
    return value == null ? null : value.mapping().readBy(reader);
  }

  /** Reads what this mapping stands for, if it is a mapping. */
  <T> @Nullable T readBy(Function<YamlMapping, @Nullable T> reader) {
    return isMapping ? reader.apply(this) : null;
  }

  /** Reads keys and values that are not field names. */
  <T> List<T> entries(Function<Map.Entry<YamlValue, YamlValue>, @Nullable T> reader) {
    List<T> entries = new ArrayList<>();
    for (Field field : fields.values()) {
      YamlValue key = self.reading().value(field.key(), field.value().path());
      T entry = reader.apply(Map.entry(key, field.value()));
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Reports every field that was not asked for. */
  void rejectOthers() {
    fields.forEach(
        (name, field) -> {
          if (!known.contains(name)) {
            self.reading()
                .reject(
                    field.key(),
                    pathOf(name),
                    "there is no field '" + name + "' here",
                    Spelling.advice(name, known));
          }
        });
  }

  private String pathOf(String name) {
    if (!FIELD_NAME.matcher(name).matches()) {
      return self.path() + "[\"" + name + "\"]";
    }
    return self.path().isEmpty() ? name : self.path() + "." + name;
  }

  private static <T> T orElse(
      @Nullable YamlValue value, Function<YamlValue, @Nullable T> reader, T otherwise) {
    T read = value == null ? null : reader.apply(value);
    return read == null ? otherwise : read;
  }
}
