package dev.once.client;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds operations. */
final class OperationInserts {
  /**
   * What is there already that excludes an operation: another request with its key or id, which
   * would never be sent, or the same request under another key.
   */
  private static final String CONFLICTS =
      """
      SELECT 'request' AS what, id FROM operation WHERE key = ?1 AND fingerprint <> ?3
      UNION ALL
      SELECT 'request', id FROM operation WHERE id = ?2 AND (key <> ?1 OR fingerprint <> ?3)
      UNION ALL
      SELECT 'request', key FROM success WHERE key = ?1 AND fingerprint <> ?3
      UNION ALL
      SELECT 'duplicate', id FROM operation
        WHERE ?4 AND fingerprint = ?3 AND type = ?5 AND key <> ?1
          AND (state IN %s OR (state = 'done' AND finished_at > %s - ?6))
      LIMIT 1
      """
          .formatted(OperationRows.OPEN, SqliteFile.NOW);

  /** The column {@code waits} is explained in the script. */
  private static final String INSERT =
      """
      INSERT INTO operation (id, key, type, ordering_key, target, group_id, after_id, compensates, request,
        fingerprint, state, waits, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
        ?8 IS NULL AND (
          (?4 IS NOT NULL AND EXISTS (
            SELECT 1 FROM operation WHERE ordering_key = ?4 AND state IN %1$s))
          OR (?6 IS NOT NULL AND EXISTS (
            SELECT 1 FROM operation WHERE group_id = ?6 AND compensates IS NULL AND state IN %1$s))
          OR (?7 IS NOT NULL AND EXISTS (
            SELECT 1 FROM operation WHERE id = ?7 AND state IN %1$s))),
        %2$s)
      ON CONFLICT (id) DO NOTHING
      """
          .formatted(OperationRows.OPEN, SqliteFile.NOW);

  private final SqliteFile file;
  private final SpaceLimit space;
  private final EncodedOperation.Encoder encoder;

  OperationInserts(SqliteFile file, SpaceLimit space, EncodedOperation.Encoder encoder) {
    this.file = file;
    this.space = space;
    this.encoder = encoder;
  }

  /** Which operations an operation belongs to. */
  record Position(@Nullable String group, @Nullable String after, @Nullable String compensates) {
    static final Position ALONE = new Position(null, null, null);
  }

  /** Stores an operation that has to wait for the end of another one. */
  void enqueueAfter(String id, Operation operation) {
    EncodedOperation encoded = encoder.encode(operation);
    file.write("enqueuing " + operation, () -> insert(encoded, true, new Position(null, id, null)));
  }

  /** Stores the operations of a group, all or none; nothing if it is there already. */
  void enqueue(OperationGroup group) {
    List<EncodedMember> members = group.members().stream().map(this::encode).toList();
    file.write(
        "enqueuing group " + group.name(),
        () -> {
          if (isThere(group)) {
            return false;
          }
          for (EncodedMember member : members) {
            EncodedOperation operation = member.operation;
            insert(operation, false, new Position(group.name(), null, null));
            if (member.compensation.isPresent()) {
              Position held = new Position(group.name(), null, operation.id());
              insert(member.compensation.get(), true, held);
            }
          }
          return true;
        });
  }

  private record EncodedMember(
      EncodedOperation operation, Optional<EncodedOperation> compensation) {}

  private EncodedMember encode(OperationGroup.Member member) {
    return new EncodedMember(
        encoder.encode(member.operation()), member.compensation().map(encoder::encode));
  }

  private boolean isThere(OperationGroup group) throws SQLException {
    List<String> there =
        file.query(
            "SELECT id FROM operation WHERE group_id = ? AND compensates IS NULL ORDER BY place",
            row -> row.getString(1),
            group.name());
    if (!there.isEmpty()
        && !there.equals(group.operations().stream().map(Operation::id).toList())) {
      throw new IllegalStateException(
          "the queue has another group " + group.name() + ": give this one its own name");
    }
    return !there.isEmpty();
  }

  /**
   * Inserts an operation in a transaction, unless it is there already. What it throws, except for
   * failures of the file, it throws before it changes anything.
   */
  boolean insert(EncodedOperation encoded, boolean allowsDuplicate, Position position)
      throws SQLException {
    space.require(encoded.request().length);
    requireNoConflict(encoded, allowsDuplicate);
    Operation operation = encoded.operation();
    return file.update(
            INSERT,
            operation.id(),
            operation.key(),
            operation.type(),
            operation.orderingKey().orElse(null),
            operation.uri().getRawAuthority(),
            position.group,
            position.after,
            position.compensates,
            encoded.request(),
            encoded.fingerprint(),
            position.compensates == null ? "pending" : "held")
        == 1;
  }

  private record Conflict(boolean isDuplicate, String id) {}

  private void requireNoConflict(EncodedOperation encoded, boolean allowsDuplicate)
      throws SQLException {
    Optional<Conflict> conflict =
        file.first(
            CONFLICTS,
            row -> new Conflict(row.getString(1).equals("duplicate"), row.getString(2)),
            encoded.key(),
            encoded.id(),
            encoded.fingerprint(),
            !allowsDuplicate,
            encoded.operation().type(),
            SuccessLedger.RETENTION.toMillis());
    if (conflict.isEmpty()) {
      return;
    }
    if (conflict.get().isDuplicate) {
      throw new DuplicateOperationException(encoded.operation(), conflict.get().id);
    }
    throw new IllegalArgumentException(
        "the queue has another request with the id or the key of "
            + encoded.operation()
            + ": an operation gets both when it is created, and keeps them");
  }
}
