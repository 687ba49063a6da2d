package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A response, as a client sees it. */
record Reply(HttpResponse<byte[]> response) {
  int status() {
    return response.statusCode();
  }

  byte[] bytes() {
    return response.body();
  }

  String text() {
    return new String(response.body(), UTF_8);
  }

  /** Returns the first value of a header; empty if there is none. */
  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Returns all headers except those about when and how this response was sent. */
  Map<String, List<String>> lastingHeaders() {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(response.headers().map());
    List.of("Date", "Server", "Connection", "Keep-Alive", "Transfer-Encoding")
        .forEach(headers::remove);
    headers.remove("Idempotency-Replayed");
    return headers;
  }

  boolean isReplay() {
    return header("Idempotency-Replayed").equals("true");
  }
}
