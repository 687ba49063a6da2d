package dev.once.servlet;

import dev.once.Headers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The ids that tie together all that a request causes. */
public final class RequestIds {
  /** Names this request. */
  public static final String REQUEST = "X-Request-ID";

  /** Names the larger operation it is part of. */
  public static final String CORRELATION = "X-Correlation-ID";

  private static final Pattern FIT = Pattern.compile("[!-~]{1,128}");

  private RequestIds() {}

  /**
   * The ids that a filter before us has put on the response, or that came with the request. One
   * that is not 1 to 128 characters of visible ASCII is left out.
   */
  public static Headers of(HttpServletRequest request, @Nullable HttpServletResponse response) {
    Headers ids = Headers.NONE;
    for (String name : List.of(REQUEST, CORRELATION)) {
      String given = response == null ? null : response.getHeader(name);
      String id = given == null ? request.getHeader(name) : given;
      if (id != null && FIT.matcher(id).matches()) {
        ids = ids.with(name, id);
      }
    }
    return ids;
  }
}
