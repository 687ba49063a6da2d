package dev.once.http;

import dev.once.Headers;
import dev.once.Payload;
import java.time.Duration;

/**
 * A response as it is kept and sent. The bytes are shared, not copied: do not modify them.
 *
 * @param status the status code
 * @param headers the headers that belong to it
 * @param body the body, possibly empty
 */
public record HttpAnswer(int status, Headers headers, Payload body) {
  public static HttpAnswer of(int status, Headers headers, byte[] body) {
    return new HttpAnswer(status, headers, Payload.of(body));
  }

  /** Returns the body's bytes; none if there is no body. */
  public byte[] bytes() {
    return body instanceof Payload.Bytes it ? it.toArray() : new byte[0];
  }

  /** Returns this answer with {@code Retry-After}, at least one second. */
  HttpAnswer retryAfter(Duration time) {
    long seconds = Math.max(1, time.plusNanos(999_999_999).toSeconds());
    return with("Retry-After", Long.toString(seconds));
  }

  /** Returns this answer with one more header. */
  HttpAnswer with(String name, String value) {
    return new HttpAnswer(status, headers.with(name, value), body);
  }
}
