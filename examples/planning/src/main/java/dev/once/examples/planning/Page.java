package dev.once.examples.planning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next the {@code cursor} that asks for the following part; null at the end of the list
 */
record Page<T>(List<T> items, @Nullable String next) {
  /** One row more than was asked for says that there is a following part. */
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

  /** An item and its place in the list. */
  record Row<T>(T item, Cursor cursor) {}
}
