package dev.once.bench;

import java.nio.charset.StandardCharsets;

/** Builds the bytes of requests with a bearer token. */
record HttpRequests(String token) {
  /** Returns a request without a token. */
  static byte[] anonymous(String path) {
    return "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        .formatted(path)
        .getBytes(StandardCharsets.US_ASCII);
  }

  byte[] get(String path) {
    return (start("GET", path) + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  byte[] post(String path, String key, String json) {
    return (start("POST", path)
            + "Idempotency-Key: %s\r\n".formatted(key)
            + "Content-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n".formatted(json.length())
            + json)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private String start(String method, String path) {
    return "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
        .formatted(method, path, token);
  }
}
