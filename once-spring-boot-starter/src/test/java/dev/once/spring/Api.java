package dev.once.spring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of an application.
 *
 * @param user tenant and name, as {@link Authentication} reads them; not authenticated if empty
 */
record Api(URI base, String user) {
  static final String ORDERS = "/shops/1/orders";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Api as(String user) {
    return new Api(base, user);
  }

  Answer post(String path, String key, String json) {
    return send(request("POST", path, json).header("Idempotency-Key", key));
  }

  CompletableFuture<Answer> postSoon(String path, String key, String json) {
    HttpRequest request =
        request("POST", path, json).header("Idempotency-Key", key).timeout(TIMEOUT).build();
    return CLIENT.sendAsync(request, BodyHandlers.ofByteArray()).thenApply(Answer::of);
  }

  /** An order at a shop. */
  Answer order(String key, String item) {
    return post(ORDERS, key, wish(item));
  }

  CompletableFuture<Answer> orderSoon(String key, String item) {
    return postSoon(ORDERS, key, wish(item));
  }

  static String wish(String item) {
    return "{\"item\":\"" + item + "\"}";
  }

  Answer get(String path) {
    return send(request("GET", path, ""));
  }

  HttpRequest.Builder request(String method, String path, String json) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path)).method(method, BodyPublishers.ofString(json));
    if (!json.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return user.isEmpty() ? request : request.header(Authentication.HEADER, user);
  }

  Answer send(HttpRequest.Builder builder) {
    HttpRequest request = builder.timeout(TIMEOUT).build();
    try {
      return Answer.of(exchange(CLIENT, request, BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an answer", e);
    }
  }

  /**
   * Sends again what an idle connection did not take: a server closes it after an upload, or after
   * a refusal for which it did not read the body.
   */
  static <T> HttpResponse<T> exchange(
      HttpClient client, HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    try {
      return client.send(request, handler);
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).endsWith("header parser received no bytes")) {
        throw e;
      }
      return client.send(request, handler);
    }
  }

  /** A response. */
  record Answer(Content content, HttpHeaders headers) {
    /**
     * The part of a response that a replay repeats.
     *
     * @param body each byte as one character
     */
    record Content(int status, List<String> headers, String body) {}

    private static final List<String> REPEATED =
        List.of("Content-Type", "Content-Length", "Location", "ETag");

    static Answer of(HttpResponse<byte[]> response) {
      List<String> repeated =
          REPEATED.stream().flatMap(it -> response.headers().allValues(it).stream()).toList();
      String body = new String(response.body(), ISO_8859_1);
      return new Answer(new Content(response.statusCode(), repeated, body), response.headers());
    }

    int status() {
      return content.status();
    }

    String body() {
      return content.body();
    }

    String header(String name) {
      return headers.firstValue(name).orElse("");
    }

    boolean replayed() {
      return header("Idempotency-Replayed").equals("true");
    }
  }
}
