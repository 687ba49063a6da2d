package dev.once.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table of routes for servers without a router of their own. A template matches a path with the
 * same number of segments, where a name in braces matches any non-empty segment; the first matching
 * template wins. A slash at the end of a path does not matter: the servlet of a route gets such
 * requests too.
 */
public final class Routes {
  private record Entry(String method, List<String> segments, Route route) {}

  private final List<Entry> entries;

  private Routes(List<Entry> entries) {
    this.entries = entries;
  }

  public static Routes none() {
    return new Routes(List.of());
  }

  /** Returns this table with one more route for requests with {@code method}. */
  public Routes with(String method, Route route) {
    List<Entry> more = new ArrayList<>(entries);
    more.add(new Entry(method, segments(route.template()), route));
    return new Routes(List.copyOf(more));
  }

  /** Returns the route of a request; empty if no template matches. */
  public Optional<Route> match(String method, String path) {
    List<String> segments = segments(path);
    return entries.stream()
        .filter(it -> it.method.equals(method) && matches(it.segments, segments))
        .map(Entry::route)
        .findFirst();
  }

  private static boolean matches(List<String> template, List<String> path) {
    if (template.size() != path.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      String name = template.get(i);
      boolean isVariable = name.startsWith("{") && name.endsWith("}");
      if (!(isVariable ? !path.get(i).isEmpty() : name.equals(path.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> segments(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return List.of(path.substring(0, end).split("/", -1));
  }
}
