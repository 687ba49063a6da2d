package dev.once.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the rows of a page, and leaves out rows that this release cannot read: they were changed by
 * hand, damaged, or written by another release, and must not hide the others. Each is reported with
 * its id, by which an operator can discard it.
 */
record PageRows(JobListener listener, String what) {
  private static final int MAX_READS = 10;

  /** Reads one row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads up to {@code limit} rows whose id is above {@code after}, in the order of their ids. */
  interface IdQuery {
    ResultSet execute(long after, int limit) throws SQLException;
  }

  /**
   * Returns a page of {@code limit} rows that can be read, or of all that are left: a shorter page
   * would seem to be the last one.
   */
  <T> List<T> page(long after, int limit, IdQuery query, RowReader<T> reader) throws SQLException {
    List<T> page = new ArrayList<>();
    long last = after;
    boolean hasMore = true;
    for (int reads = 0; hasMore && page.size() < limit && reads < MAX_READS; reads++) {
      int wanted = limit - page.size();
      int count = 0;
      try (ResultSet rows = query.execute(last, wanted)) {
        for (; rows.next(); count++) {
          last = rows.getLong("id");
          current(rows, reader).ifPresent(page::add);
        }
      }
      hasMore = count == wanted;
    }
    return page;
  }

  /** Reads the row at which {@code rows} is now. */
  <T> Optional<T> current(ResultSet rows, RowReader<T> reader) throws SQLException {
    try {
      return Optional.of(reader.read(rows));
    } catch (SQLException | RuntimeException e) {
      listener.on(new JobEvent.Trouble("reading " + what + " " + rows.getLong("id"), e));
      return Optional.empty();
    }
  }
}
