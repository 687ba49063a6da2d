package dev.once.spring.test;

import java.util.UUID;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

/** Adds keys to the requests of {@code MockMvc} and {@code MockMvcTester}. */
public final class OnceRequestPostProcessors {
  private OnceRequestPostProcessors() {}

  /**
   * Returns a post-processor that adds a random key, the same to all requests that it is used with:
   * the second one is a retry of the first.
   */
  public static RequestPostProcessor idempotencyKey() {
    return idempotencyKey(UUID.randomUUID().toString());
  }

  /** Returns a post-processor that adds this key, in the header of the application's contract. */
  public static RequestPostProcessor idempotencyKey(String key) {
    return request -> {
      String header = TestedContract.of(request).key().header();
      request.addHeader(header, key);
      return request;
    };
  }
}
