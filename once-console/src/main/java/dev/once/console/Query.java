package dev.once.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a user wants to read. */
record Query(ConsoleUser user, Map<String, String> parameters) {
  static final int MAX_LIMIT = 200;

  private static final int DEFAULT_LIMIT = 50;

  Optional<String> text(String name) {
    return ApiException.checked(name, Optional.ofNullable(parameters.get(name)));
  }

  String require(String name) {
    return text(name).orElseThrow(() -> ApiException.invalid(name + " is missing"));
  }

  /**
   * Returns the tenant: the one that is asked for, or the only one of the user; empty for all. Of a
   * tenant that the user may not see, nothing exists.
   */
  Optional<String> tenant() {
    Optional<String> asked = text("tenant");
    if (asked.isPresent()) {
      return asked;
    }
    Optional<Set<String>> own = user.tenants();
    if (own.isPresent() && own.get().size() != 1) {
      throw ApiException.invalid("tenant is missing: this user sees several");
    }
    return own.flatMap(it -> it.stream().findFirst());
  }

  String requireTenant() {
    return tenant().orElseThrow(() -> ApiException.invalid("tenant is missing"));
  }

  boolean seesTenant() {
    return tenant().map(user::sees).orElse(true);
  }

  int limit() {
    int limit = (int) number("limit", DEFAULT_LIMIT);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw ApiException.invalid("limit must be 1 to %d, got %d".formatted(MAX_LIMIT, limit));
    }
    return limit;
  }

  long requireNumber(String name) {
    String unused = require(name);
    return number(name, 0);
  }

  private long number(String name, long otherwise) {
    try {
      return text(name).map(Long::parseLong).orElse(otherwise);
    } catch (NumberFormatException e) {
      throw ApiException.invalid(name + " must be a whole number");
    }
  }

  Optional<List<String>> after(int parts) {
    return text("after").map(it -> Cursor.parts(it, parts));
  }
}
