package dev.once.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A worker that uses the claims API, and compares each answer with the description. */
final class Worker {
  static final HttpClient HTTP = HttpClient.newHttpClient();

  private final URI api;
  private final String token;

  Worker(ClaimsServer server, String token) {
    this.api = server.uri();
    this.token = token;
  }

  /** An answer; the body is JSON, or null if there is none. */
  record Reply(int status, HttpHeaders headers, @Nullable JsonNode body) {
    JsonNode json() {
      return Objects.requireNonNull(body, "the answer has no body");
    }

    String result() {
      assertThat(status).as(String.valueOf(body)).isEqualTo(200);
      return json().get("result").stringValue();
    }

    long fence() {
      assertThat(result()).isEqualTo("granted");
      return json().get("fence").longValue();
    }

    String code() {
      return json().get("code").stringValue();
    }
  }

  /** Returns a claim on a key with a new token, and 30 seconds of lease. */
  static ObjectNode claimOn(String key) {
    return operationOn(key).put("token", UUID.randomUUID().toString());
  }

  static ObjectNode operationOn(String key) {
    return Description.MAPPER.createObjectNode().put("scope", "invoices").put("key", key);
  }

  static ObjectNode grant(String key, long fence) {
    return operationOn(key).put("fence", fence);
  }

  Reply claim(JsonNode body) throws Exception {
    return post("/claims", body);
  }

  Reply claim(String key) throws Exception {
    return claim(claimOn(key));
  }

  Reply complete(String key, long fence, String outcome) throws Exception {
    ObjectNode body = grant(key, fence);
    body.set("outcome", Description.MAPPER.readTree(outcome));
    return post("/claims/complete", body);
  }

  Reply release(String key, long fence) throws Exception {
    return post("/claims/release", grant(key, fence));
  }

  Reply renew(String key, long fence, long leaseMillis) throws Exception {
    return post("/claims/renew", grant(key, fence).put("lease_millis", leaseMillis));
  }

  /** Sends a body that the description accepts. */
  Reply post(String path, JsonNode body) throws Exception {
    assertThat(Description.accepts(path, body)).as("the description accepts " + body).isTrue();
    return post(path, body.toString(), Map.of());
  }

  Reply post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    return send(path, BodyPublishers.ofString(body), headers);
  }

  Reply send(String path, HttpRequest.BodyPublisher body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(api + path))
            .POST(body)
            .setHeader("Authorization", "Bearer " + token)
            .setHeader("Content-Type", "application/json");
    headers.forEach(request::setHeader);
    HttpResponse<byte[]> answer = HTTP.send(request.build(), BodyHandlers.ofByteArray());
    Description.check(path, answer);
    JsonNode json = answer.body().length == 0 ? null : Description.MAPPER.readTree(answer.body());
    return new Reply(answer.statusCode(), answer.headers(), json);
  }
}
