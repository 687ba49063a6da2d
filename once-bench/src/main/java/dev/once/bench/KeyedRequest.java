package dev.once.bench;

import java.nio.charset.StandardCharsets;

/** A request that is built once and sent with many keys: only the bytes of the key are replaced. */
final class KeyedRequest {
  private static final String PLACE = "00000000-0000-0000-0000-000000000000";

  private final byte[] bytes;
  private final int offset;

  private KeyedRequest(byte[] bytes) {
    this.bytes = bytes;
    this.offset = new String(bytes, StandardCharsets.US_ASCII).indexOf(PLACE);
  }

  static KeyedRequest post(HttpRequests requests, String path, String json) {
    return new KeyedRequest(requests.post(path, PLACE, json));
  }

  /** Returns the request with {@code key}, a UUID. */
  byte[] with(String key) {
    byte[] request = bytes.clone();
    System.arraycopy(key.getBytes(StandardCharsets.US_ASCII), 0, request, offset, PLACE.length());
    return request;
  }
}
