package dev.once.client;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads operations. */
final class OperationReader {
  /** A list ends early if its requests and answers take more memory. */
  static final long MAX_LIST_BYTES = 32 << 20;

  private final SqliteFile file;
  private final OperationRows rows;

  OperationReader(SqliteFile file, OperationRows rows) {
    this.file = file;
    this.rows = rows;
  }

  Optional<QueuedOperation> find(String id) {
    return file.read("reading operation " + id, () -> load(id));
  }

  /** Reads an operation in a transaction. */
  Optional<QueuedOperation> load(String id) throws SQLException {
    return file.first(
        "SELECT " + OperationRows.COLUMNS + " FROM operation WHERE id = ?", rows::readAny, id);
  }

  /** Returns the state of an operation, without reading its request. */
  Optional<OperationState> state(String id) {
    return file.read(
        "reading operation " + id,
        () ->
            file.first(
                "SELECT state FROM operation WHERE id = ?",
                row -> OperationState.of(row.getString(1)),
                id));
  }

  /** Returns operations in the order in which they were enqueued, after {@code afterId}. */
  List<QueuedOperation> list(List<OperationState> states, Optional<String> afterId, int limit) {
    return file.read(
        "listing operations",
        () -> {
          List<QueuedOperation> found = new ArrayList<>();
          long bytes = 0;
          for (long place : places(states, afterId, limit)) {
            Sized next = load(place);
            found.add(next.operation);
            bytes += next.bytes;
            if (bytes >= MAX_LIST_BYTES) {
              break;
            }
          }
          return found;
        });
  }

  private record Sized(QueuedOperation operation, long bytes) {}

  private Sized load(long place) throws SQLException {
    return file.first(
            "SELECT "
                + OperationRows.COLUMNS
                + ", length(request) + coalesce(length(answer), 0) AS bytes"
                + " FROM operation WHERE place = ?",
            row -> new Sized(rows.readAny(row), row.getLong("bytes")),
            place)
        .orElseThrow();
  }

  private List<Long> places(List<OperationState> states, Optional<String> afterId, int limit)
      throws SQLException {
    long after =
        afterId.isEmpty()
            ? 0
            : file.first(
                    "SELECT place FROM operation WHERE id = ?",
                    row -> row.getLong(1),
                    afterId.get())
                .orElse(0L);
    String sql = "SELECT place FROM operation WHERE place > ?1 ORDER BY place LIMIT ?2";
    if (!OperationRows.isEvery(states)) {
      sql =
          "SELECT place FROM (%s) WHERE place > ?1 ORDER BY place LIMIT ?2"
              .formatted(
                  String.join(
                      " UNION ALL ",
                      states.stream().distinct().map(it -> in(it, "place")).toList()));
    }
    return file.query(sql, row -> row.getLong(1), after, limit);
  }

  long count(OperationState state) {
    return file.read(
        "counting operations",
        () -> file.first(in(state, "count(*)"), row -> row.getLong(1)).orElseThrow());
  }

  /** Returns a query for a state by its index. */
  private static String in(OperationState state, String columns) {
    boolean isFinished = state.isEnd();
    return "SELECT %s FROM operation WHERE state = '%s'%s"
        .formatted(
            columns,
            state.word(),
            isFinished
                ? " AND finished_at IS NOT NULL"
                : state == OperationState.HELD ? " AND compensates IS NOT NULL" : "");
  }

  /** Returns whether there is something that is sent, or will be. */
  boolean hasUnsent() {
    return file.read(
        "reading the queue",
        () ->
            file.exists("SELECT 1 FROM operation WHERE state = 'pending' LIMIT 1")
                || file.exists("SELECT 1 FROM operation WHERE state = 'sending' LIMIT 1"));
  }
}
