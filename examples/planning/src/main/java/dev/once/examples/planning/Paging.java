package dev.once.examples.planning;

import org.jspecify.annotations.Nullable;

/** The requested page of a list. */
record Paging(int limit, @Nullable Cursor after) {
  static final String DEFAULT_LIMIT = "50";
  private static final int MAX_LIMIT = 100;

  Paging {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw Refusal.invalid("limit", "must be 1 to " + MAX_LIMIT);
    }
  }

  static Paging of(int limit, @Nullable String cursor) {
    return new Paging(limit, cursor == null ? null : Cursor.parse(cursor));
  }

  /** Returns how many rows to read: one beyond the limit reveals whether there are more. */
  int rows() {
    return limit + 1;
  }

  /** Returns the position after which the page begins. */
  Cursor afterOr(Cursor start) {
    return after == null ? start : after;
  }
}
