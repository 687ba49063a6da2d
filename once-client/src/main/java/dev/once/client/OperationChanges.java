package dev.once.client;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a person changes about operations that are not being sent. */
final class OperationChanges {
  private static final List<OperationState> FAILED = List.of(OperationState.FAILED);
  private static final List<OperationState> NOT_BEING_SENT =
      List.of(OperationState.PENDING, OperationState.FAILED);

  private final SqliteFile file;
  private final OperationReader reader;
  private final EncodedOperation.Encoder encoder;
  private final GroupCompensation groups;

  OperationChanges(
      SqliteFile file,
      OperationReader reader,
      EncodedOperation.Encoder encoder,
      GroupCompensation groups) {
    this.file = file;
    this.reader = reader;
    this.encoder = encoder;
    this.groups = groups;
  }

  /** Returns whether an operation in this state can be changed. */
  static boolean isChangeable(OperationState state) {
    return NOT_BEING_SENT.contains(state);
  }

  /** Sends a failed operation again; false if it has not failed. */
  boolean resend(String id) {
    return file.write("changing operation " + id, () -> reopen(id, FAILED));
  }

  /** Sends a failed operation under another key; false if it has not failed. */
  boolean repeat(Operation original, Operation replacement) {
    return replace(original, FAILED, replacement, true);
  }

  /** Changes an operation; false if it is in another state, or may have taken effect. */
  boolean edit(Operation original, Operation replacement) {
    return replace(original, NOT_BEING_SENT, replacement, false);
  }

  private boolean reopen(String id, List<OperationState> from) throws SQLException {
    return file.update(
            "UPDATE operation SET state = 'pending', reason = NULL, advice = NULL, attempts = 0,"
                + " unanswered = 0, next_attempt_at = 0, finished_at = NULL WHERE id = ?"
                + " AND state IN "
                + OperationRows.words(from),
            id)
        == 1;
  }

  /** Replaces the key and the request of an operation whose key is still the one that was read. */
  private boolean replace(
      Operation original, List<OperationState> from, Operation replacement, boolean evenIfSent) {
    String id = original.id();
    byte[] request = encoder.rows().request(id, replacement);
    String fingerprint = encoder.fingerprint(replacement);
    return file.write(
        "changing operation " + id,
        () -> {
          boolean isChangeable =
              (evenIfSent || !groups.mayHaveTakenEffect(id))
                  && file.exists(
                      "SELECT 1 FROM operation WHERE id = ? AND key = ?", id, original.key())
                  && reopen(id, from);
          if (isChangeable) {
            file.update(
                "UPDATE operation SET key = ?, request = ?, fingerprint = ?, answer = NULL,"
                    + " first_sent_at = NULL WHERE id = ?",
                replacement.key(),
                request,
                fingerprint,
                id);
          }
          return isChangeable;
        });
  }

  /**
   * Gives up an operation that is not being sent, and undoes its group.
   *
   * @throws IllegalStateException if another operation of its group is being sent
   */
  OperationEnd drop(String id) {
    return file.write("dropping operation " + id, () -> dropNow(id));
  }

  private OperationEnd dropNow(String id) throws SQLException {
    Optional<QueuedOperation> found = reader.load(id);
    if (found.filter(it -> isChangeable(it.state())).isEmpty()) {
      return OperationEnd.NONE;
    }
    boolean isEffectPossible = groups.mayHaveTakenEffect(id);
    groups.drop(id, "by its user");
    QueuedOperation dropped = found.get();
    if (dropped.group().isPresent() && dropped.compensates().isEmpty()) {
      requireNothingBeingSent(dropped.group().get());
    }
    return groups.undoBecauseOf(dropped, isEffectPossible);
  }

  private void requireNothingBeingSent(String group) throws SQLException {
    Optional<String> sending =
        file.first(
            "SELECT id FROM operation WHERE group_id = ? AND state = 'sending'",
            row -> row.getString(1),
            group);
    if (sending.isPresent()) {
      throw new IllegalStateException(
          "operation %s of group %s is being sent: drop this one after it has ended"
              .formatted(sending.get(), group));
    }
  }
}
