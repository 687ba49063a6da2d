package dev.once.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.List;

/** What is secret of an endpoint: its URL and its keys. */
record Target(URI url, SigningKeys keys) {
  /** Returns the URL and the keys, a line each: neither contains a line feed. */
  byte[] toBytes() {
    return (url + "\n" + String.join("\n", keys.texts())).getBytes(UTF_8);
  }

  /** Reads what {@link #toBytes} wrote. */
  static Target parse(byte[] bytes) {
    List<String> lines = List.of(new String(bytes, UTF_8).split("\n", -1));
    return new Target(URI.create(lines.get(0)), SigningKeys.parse(lines.subList(1, lines.size())));
  }

  @Override
  public String toString() {
    return "Target[" + url.getHost() + ", " + keys + "]";
  }
}
