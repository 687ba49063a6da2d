package dev.once.servlet;

import dev.once.Headers;
import dev.once.Headers.Header;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Selects the headers of a response that are kept with it. */
final class KeptHeaders {
  private static final String TYPE = "Content-Type";

  /** The headers that a replay adds must fit too: three ids, the key, and two marks. */
  private static final int REPLAY_HEADERS = 6;

  private static final int REPLAY_CHARS = 1024;

  private KeptHeaders() {}

  /**
   * Returns the headers whose names are in {@code kept}; empty if a record cannot hold them all.
   */
  static Optional<Headers> of(HttpServletResponse response, Set<String> kept) {
    try {
      List<Header> headers = list(response, kept);
      return fits(headers) ? Optional.of(new Headers(headers)) : Optional.empty();
    } catch (IllegalArgumentException e) { // Tomcat accepts line breaks in values; records do not.
      return Optional.empty();
    }
  }

  private static List<Header> list(HttpServletResponse response, Set<String> kept) {
    // Tomcat builds this text on every call, and does not list it among the headers.
    String type = response.getContentType();
    List<Header> headers = new ArrayList<>();
    for (String name : names(response, type, kept)) {
      if (type != null && name.equalsIgnoreCase(TYPE)) {
        headers.add(new Header(name, type));
      } else {
        response.getHeaders(name).forEach(value -> headers.add(new Header(name, value)));
      }
    }
    return headers;
  }

  private static Set<String> names(
      HttpServletResponse response, @Nullable String type, Set<String> kept) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // Tomcat has some twice.
    for (String name : response.getHeaderNames()) {
      if (kept.contains(name.toLowerCase(Locale.ROOT))) {
        names.add(name);
      }
    }
    if (type != null && kept.contains("content-type")) {
      names.add(TYPE);
    }
    return names;
  }

  private static boolean fits(List<Header> headers) {
    return headers.size() + REPLAY_HEADERS <= Headers.MAX_HEADERS
        && chars(headers) + REPLAY_CHARS <= Headers.MAX_CHARS;
  }

  private static int chars(List<Header> headers) {
    int chars = 0;
    for (Header header : headers) {
      chars += header.name().length() + header.value().length();
    }
    return chars;
  }
}
