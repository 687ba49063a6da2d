package dev.once.servlet;

import dev.once.Headers;
import dev.once.Headers.Header;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ids that correlate everything that a request causes. */
public final class RequestIds {
  /** Identifies this request. */
  public static final String REQUEST = "X-Request-ID";

  /** Identifies the larger operation that the request is part of. */
  public static final String CORRELATION = "X-Correlation-ID";

  private static final int MAX_CHARS = 128;

  private RequestIds() {}

  /**
   * Returns the ids that an earlier filter has set on the response, or else those of the request.
   * An id that is not 1 to 128 characters of visible ASCII is left out.
   */
  public static Headers of(HttpServletRequest request, @Nullable HttpServletResponse response) {
    List<Header> ids = new ArrayList<>();
    add(REQUEST, request, response, ids);
    add(CORRELATION, request, response, ids);
    return ids.isEmpty() ? Headers.NONE : new Headers(ids);
  }

  private static void add(
      String name,
      HttpServletRequest request,
      @Nullable HttpServletResponse response,
      List<Header> ids) {
    String given = response == null ? null : response.getHeader(name);
    String id = given == null ? request.getHeader(name) : given;
    if (id != null && isFit(id)) {
      ids.add(new Header(name, id));
    }
  }

  /**
   * Returns whether this can be an id: 1 to 128 characters of visible ASCII.
   *
   * <p>A loop instead of a regular expression, because it runs twice per request.
   */
  public static boolean isFit(String id) {
    for (int i = 0; i < id.length(); i++) {
      if (id.charAt(i) < '!' || id.charAt(i) > '~') {
        return false;
      }
    }
    return !id.isEmpty() && id.length() <= MAX_CHARS;
  }
}
