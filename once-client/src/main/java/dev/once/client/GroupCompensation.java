package dev.once.client;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What happens to the other operations of a group; each call is part of a transaction. */
final class GroupCompensation {
  private final SqliteFile file;

  GroupCompensation(SqliteFile file) {
    this.file = file;
  }

  private record Compensation(String id, String undoes, boolean isDone) {}

  /** Drops what would undo a group that is done. */
  void releaseIfDone(QueuedOperation member) throws SQLException {
    if (isMember(member)) {
      file.update(
          "UPDATE operation SET state = 'dropped', reason = 'its group is done', finished_at = "
              + SqliteFile.NOW
              + " WHERE group_id = ?1 AND state = 'held' AND NOT EXISTS (SELECT 1 FROM operation e"
              + " WHERE e.group_id = ?1 AND e.compensates IS NULL AND e.state <> 'done')",
          member.group().orElseThrow());
    }
  }

  /**
   * Drops what is left of the group of an operation that was refused or dropped, and undoes what is
   * done or may have taken effect, the last operation first.
   *
   * @param isEffectPossible whether the operation itself may have taken effect
   */
  OperationEnd undoBecauseOf(QueuedOperation ended, boolean isEffectPossible) throws SQLException {
    if (!isMember(ended)) {
      return new OperationEnd(true, List.of());
    }
    String group = ended.group().orElseThrow();
    Set<String> effects = new HashSet<>();
    if (isEffectPossible) {
      effects.add(ended.id());
    }
    List<String> dropped = dropRest(group, ended.id(), effects);
    release(group, effects);
    file.update(
        "UPDATE operation SET state = 'dropped', reason = 'there is nothing to undo', finished_at = "
            + SqliteFile.NOW
            + " WHERE group_id = ? AND state = 'held'",
        group);
    return new OperationEnd(true, dropped);
  }

  /** Drops the other operations, and collects those that may have taken effect. */
  private List<String> dropRest(String group, String endedId, Set<String> effects)
      throws SQLException {
    List<String> rest =
        file.query(
            "SELECT id FROM operation WHERE group_id = ? AND compensates IS NULL"
                + " AND state IN ('pending', 'failed') AND id <> ?",
            row -> row.getString(1),
            group,
            endedId);
    for (String id : rest) {
      if (mayHaveTakenEffect(id)) {
        effects.add(id);
      }
      drop(id, "operation " + endedId + " of its group was refused or dropped");
    }
    return rest;
  }

  /** Lets the compensations be sent one after the other. */
  private void release(String group, Set<String> effects) throws SQLException {
    List<Compensation> held =
        file.query(
            "SELECT c.id, d.id, d.state = 'done' FROM operation c"
                + " JOIN operation d ON d.id = c.compensates"
                + " WHERE c.group_id = ? AND c.state = 'held' ORDER BY d.place DESC",
            row -> new Compensation(row.getString(1), row.getString(2), row.getBoolean(3)),
            group);
    List<String> released = new ArrayList<>();
    for (Compensation it : held) {
      if (it.isDone || effects.contains(it.undoes)) {
        file.update(
            "UPDATE operation SET state = 'pending', after_id = ? WHERE id = ?",
            released.isEmpty() ? null : released.get(released.size() - 1),
            it.id);
        released.add(it.id);
      }
    }
  }

  void drop(String id, String reason) throws SQLException {
    file.update(
        "UPDATE operation SET state = 'dropped', reason = ?, finished_at = "
            + SqliteFile.NOW
            + " WHERE id = ?",
        OperationRows.shortened(reason),
        id);
  }

  /** Returns whether an operation was sent, and not refused. */
  boolean mayHaveTakenEffect(String id) throws SQLException {
    return file.exists(
        "SELECT 1 FROM operation WHERE id = ? AND first_sent_at IS NOT NULL"
            + " AND (state <> 'failed' OR advice IN ('SEND_AGAIN', 'CHECK_FIRST'))",
        id);
  }

  private static boolean isMember(QueuedOperation operation) {
    return operation.group().isPresent() && operation.compensates().isEmpty();
  }
}
