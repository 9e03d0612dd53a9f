// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** The API server, as kubectl uses it. Objects go there as YAML and come back as JSON. */
final class KubernetesApi {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int NOT_FOUND = 404;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http;
  private final URI server;
  private final String token;

  KubernetesApi(URI server, SSLContext tls, String token) {
    this.http = HttpClient.newBuilder().sslContext(tls).connectTimeout(LIMIT).build();
    this.server = server;
    this.token = token;
  }

  /** Whether the server serves; any failure means no. */
  boolean isReady() {
    try {
      return send("GET", "/readyz", "application/yaml", "").statusCode() == 200;
    } catch (UncheckedIOException notListening) {
      return false;
    }
  }

  JsonNode create(String collection, String yaml) {
    return json(send("POST", collection, "application/yaml", yaml));
  }

  JsonNode patch(String object, String json) {
    return json(send("PATCH", object, "application/merge-patch+json", json));
  }

  JsonNode get(String object) {
    return json(send("GET", object, "application/yaml", ""));
  }

  boolean exists(String object) {
    HttpResponse<String> answer = send("GET", object, "application/yaml", "");
    return answer.statusCode() != NOT_FOUND && json(answer) != null;
  }

  void delete(String object) {
    json(send("DELETE", object, "application/yaml", ""));
  }

  private HttpResponse<String> send(String method, String path, String type, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .header("Accept", "application/json")
            .timeout(LIMIT)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) {
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException(
          answer.request().method() + " " + answer.uri() + ": " + answer.body());
    }
    try {
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
