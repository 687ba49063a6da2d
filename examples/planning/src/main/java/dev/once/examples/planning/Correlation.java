package dev.once.examples.planning;

import dev.once.Headers;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ids that correlate everything that one request causes.
 *
 * @param requestId identifies this request
 * @param correlationId identifies the larger operation that it is part of
 */
record Correlation(String requestId, String correlationId) {
  static final String REQUEST_HEADER = "X-Request-ID";
  static final String CORRELATION_HEADER = "X-Correlation-ID";

  private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]{1,128}");

  /** Keeps the ids that a client sent; replaces a missing or invalid one. */
  static Correlation of(@Nullable String requestId, @Nullable String correlationId) {
    String request = fitOr(requestId, UUID.randomUUID().toString());
    return new Correlation(request, fitOr(correlationId, request));
  }

  /** Reads what {@link #toHeaders} wrote. */
  static Correlation of(Headers ids) {
    return of(ids.first(REQUEST_HEADER).orElse(null), ids.first(CORRELATION_HEADER).orElse(null));
  }

  /** Returns the ids as headers, for everything that the request causes. */
  Headers toHeaders() {
    return Headers.NONE.with(REQUEST_HEADER, requestId).with(CORRELATION_HEADER, correlationId);
  }

  private static String fitOr(@Nullable String id, String replacement) {
    return id != null && VISIBLE_ASCII.matcher(id).matches() ? id : replacement;
  }
}
