// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks.
 *
 * @param method such as {@code GET}
 * @param path without the query
 * @param parameters of the query
 * @param host the one {@code Host} header, or null if there is none or several
 * @param origin the {@code Origin} header of a browser's page, or null
 */
record Question(
    String method,
    String path,
    Map<String, List<String>> parameters,
    @Nullable String host,
    @Nullable String origin) {

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException if its target cannot be read
   */
  static Question of(FullHttpRequest request) {
    QueryStringDecoder target = new QueryStringDecoder(request.uri());
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    return new Question(
        request.method().name(),
        target.path(),
        target.parameters(),
        hosts.size() == 1 ? hosts.get(0) : null,
        request.headers().get(HttpHeaderNames.ORIGIN));
  }

  boolean isPost() {
    return method.equals("POST");
  }

  /** The last value of a parameter, or null. */
  @Nullable String parameter(String name) {
    List<String> values = parameters.get(name);
    return values == null ? null : values.get(values.size() - 1);
  }
}
