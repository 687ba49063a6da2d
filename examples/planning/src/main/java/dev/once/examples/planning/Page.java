package dev.once.examples.planning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next the {@code cursor} of the next page; null on the last one
 */
record Page<T>(List<T> items, @Nullable String next) {
  /** Returns a page; a row beyond its limit means that there is a next one. */
  static <T> Page<T> of(List<Row<T>> rows, Paging paging) {
    if (rows.size() <= paging.limit()) {
      return new Page<>(items(rows), null);
    }
    List<Row<T>> part = rows.subList(0, paging.limit());
    return new Page<>(items(part), part.get(part.size() - 1).cursor().text());
  }

  private static <T> List<T> items(List<Row<T>> rows) {
    return rows.stream().map(Row::item).toList();
  }

  /** An item and its position in the list. */
  record Row<T>(T item, Cursor cursor) {}
}
