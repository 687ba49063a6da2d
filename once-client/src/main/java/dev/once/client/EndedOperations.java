package dev.once.client;

import java.util.List;

/** Deletes operations that ended long ago, a few in each transaction: others wait for it. */
final class EndedOperations {
  private static final int PURGED_AT_ONCE = 500;

  private final SqliteFile file;
  private final SuccessLedger successes;

  EndedOperations(SqliteFile file, SuccessLedger successes) {
    this.file = file;
    this.successes = successes;
  }

  /** Deletes successes, answers and dropped operations that are older than the retention. */
  void purge() {
    while (successes.purge()) {
      // The next ones.
    }
    for (OperationState state : List.of(OperationState.DONE, OperationState.DROPPED)) {
      while (purge(state)) {
        // The next ones.
      }
    }
  }

  /** Deletes some, and returns whether there may be more. */
  private boolean purge(OperationState state) {
    String sql =
        """
        DELETE FROM operation WHERE place IN (
          SELECT o.place FROM operation o
          WHERE o.state = '%s' AND o.finished_at <= %s - ?
            AND (o.group_id IS NULL OR NOT EXISTS (
              SELECT 1 FROM operation e WHERE e.group_id = o.group_id AND e.state IN %s))
          LIMIT ?)
        """
            .formatted(state.word(), SqliteFile.NOW, OperationRows.OPEN);
    return file.write(
            "purging", () -> file.update(sql, SuccessLedger.RETENTION.toMillis(), PURGED_AT_ONCE))
        == PURGED_AT_ONCE;
  }
}
