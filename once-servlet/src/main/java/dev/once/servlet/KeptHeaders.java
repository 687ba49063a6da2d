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

/** Picks those headers of a response that are kept with it. */
final class KeptHeaders {
  /** What a replay is marked with has to fit in too: three headers, one with the longest key. */
  private static final List<Header> ROOM_FOR_MARKS =
      List.of(new Header("-", "-"), new Header("-", "-"), new Header("-", "-".repeat(512)));

  private KeptHeaders() {}

  /** The headers whose names are in {@code kept}; none if a record cannot hold all of them. */
  static Optional<Headers> of(HttpServletResponse response, Set<String> kept) {
    try {
      List<Header> headers = list(response, kept);
      return fits(headers) ? Optional.of(new Headers(headers)) : Optional.empty();
    } catch (
        IllegalArgumentException e) { // Tomcat takes a line break in a value, and a record not.
      return Optional.empty();
    }
  }

  private static List<Header> list(HttpServletResponse response, Set<String> kept) {
    List<Header> headers = new ArrayList<>();
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // Tomcat has some twice.
    names.addAll(response.getHeaderNames());
    if (response.getContentType() != null) {
      names.add("Content-Type"); // Tomcat does not count it among the headers.
    }
    for (String name : names) {
      if (kept.contains(name.toLowerCase(Locale.ROOT))) {
        valuesOf(response, name).forEach(value -> headers.add(new Header(name, value)));
      }
    }
    return headers;
  }

  private static Iterable<String> valuesOf(HttpServletResponse response, String name) {
    String type = response.getContentType();
    return name.equalsIgnoreCase("Content-Type") && type != null
        ? List.of(type)
        : response.getHeaders(name);
  }

  private static boolean fits(List<Header> headers) {
    List<Header> all = new ArrayList<>(headers);
    all.addAll(ROOM_FOR_MARKS);
    return all.size() <= Headers.MAX_HEADERS
        && all.stream().mapToInt(it -> it.name().length() + it.value().length()).sum()
            <= Headers.MAX_CHARS;
  }
}
