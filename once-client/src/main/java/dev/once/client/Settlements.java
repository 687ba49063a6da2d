package dev.once.client;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** How a claim ends. Each change names the claim's fence, and is refused if that has passed. */
final class Settlements {
  /** A larger answer is kept without its body. */
  static final int MAX_KEPT_ANSWER_BYTES = 1 << 20;

  private static final String FENCED = " WHERE id = ? AND fence = ? AND state = 'sending'";

  /** Also after the lease, if no other sender has claimed the operation since: it took effect. */
  private static final String DONE =
      """
      UPDATE operation SET state = 'done', answer = ?, advice = NULL, reason = NULL,
        finished_at = %s
      WHERE id = ? AND fence = ? AND key = ? AND state IN ('sending', 'pending')
      """
          .formatted(SqliteFile.NOW);

  private static final String FAIL =
      "UPDATE operation SET state = 'failed', advice = ?, reason = ?, answer = ?,"
          + " attempts = attempts + 1, finished_at = "
          + SqliteFile.NOW
          + FENCED;

  private static final String POSTPONE =
      """
      UPDATE operation SET state = 'pending', attempts = attempts + ?,
        unanswered = CASE WHEN ? THEN 0 ELSE unanswered + 1 END, reason = ?,
        first_sent_at = CASE WHEN ? THEN first_sent_at END, next_attempt_at = %s + ?
      """
              .formatted(SqliteFile.NOW)
          + FENCED;

  private static final String PARK =
      "UPDATE operation SET state = 'pending', reason = ?,"
          + " first_sent_at = CASE WHEN ? THEN first_sent_at END"
          + FENCED;

  private final SqliteFile file;
  private final OperationRows rows;
  private final EncodedOperation.Encoder encoder;
  private final SuccessLedger successes;
  private final QueueSettings settings;
  private final GroupCompensation groups;

  Settlements(
      SqliteFile file,
      OperationRows rows,
      EncodedOperation.Encoder encoder,
      SuccessLedger successes,
      QueueSettings settings,
      GroupCompensation groups) {
    this.file = file;
    this.rows = rows;
    this.encoder = encoder;
    this.successes = successes;
    this.settings = settings;
    this.groups = groups;
  }

  /**
   * Ends a claim. Returns false if another sender has the operation by now; the key is remembered
   * nevertheless, so that no sender sends it once more.
   */
  boolean done(Claim claim, Optional<Answer> answer) {
    Operation operation = claim.operation();
    String fingerprint = encoder.fingerprint(operation);
    return withoutAnswerIfFull(
        answer,
        kept ->
            file.write(
                "completing " + operation,
                () -> {
                  int changed =
                      file.update(
                          DONE,
                          rows.answer(operation, kept, MAX_KEPT_ANSWER_BYTES),
                          operation.id(),
                          claim.fence(),
                          operation.key());
                  successes.add(operation.key(), fingerprint);
                  if (changed == 1) {
                    groups.releaseIfDone(claim.queued());
                  }
                  return changed == 1;
                }));
  }

  /** Moves a claim to the failed operations. A refusal also undoes its group. */
  OperationEnd fail(
      Claim claim, Advice advice, String reason, Optional<Answer> answer, boolean isRefused) {
    return withoutAnswerIfFull(answer, kept -> failWith(claim, advice, reason, kept, isRefused));
  }

  private OperationEnd failWith(
      Claim claim, Advice advice, String reason, Optional<Answer> answer, boolean isRefused) {
    Operation operation = claim.operation();
    return file.write(
        "failing " + operation,
        () -> {
          int changed =
              file.update(
                  FAIL,
                  advice.name(),
                  OperationRows.shortened(reason),
                  rows.answer(operation, answer, MAX_KEPT_ANSWER_BYTES),
                  operation.id(),
                  claim.fence());
          if (changed == 0) {
            return OperationEnd.NONE;
          }
          return isRefused
              ? groups.undoBecauseOf(claim.queued(), false)
              : new OperationEnd(true, List.of());
        });
  }

  private interface Recording<T> {
    T record(Optional<Answer> answer);
  }

  /** What became of an operation matters more than the answer. */
  private static <T> T withoutAnswerIfFull(Optional<Answer> answer, Recording<T> recording) {
    try {
      return recording.record(answer);
    } catch (QueueException e) {
      if (answer.isPresent() && SqliteFile.isFull(e)) {
        return recording.record(Optional.empty());
      }
      throw e;
    }
  }

  /** Gives a claim back until its next attempt; false if another sender has the operation. */
  boolean postpone(Claim claim, Postponement how) {
    return file.write(
        "postponing " + claim.operation(),
        () ->
            file.update(
                    POSTPONE,
                    how.isCounted() ? 1 : 0,
                    how.isAnswered(),
                    OperationRows.shortened(how.reason()),
                    claim.wasSent() || how.isSent(),
                    how.pause().toMillis(),
                    claim.operation().id(),
                    claim.fence())
                == 1);
  }

  /**
   * Gives a claim back, and sends nothing until the credentials change. Returns false if they
   * changed since the claim.
   */
  boolean park(Claim claim, String reason) {
    return file.write("parking the queue", () -> parkNow(claim, OperationRows.shortened(reason)));
  }

  private boolean parkNow(Claim claim, String reason) throws SQLException {
    int changed = file.update(PARK, reason, claim.wasSent(), claim.operation().id(), claim.fence());
    if (changed == 0 || settings.read().credentials() != claim.credentials()) {
      return false;
    }
    settings.park(reason);
    return true;
  }

  /** Sends what waits for a server at once, which answers again. */
  void retryNow(String target) {
    file.write(
        "resuming " + target,
        () ->
            file.update(
                "UPDATE operation SET next_attempt_at = 0 WHERE state = 'pending' AND unanswered > 0"
                    + " AND next_attempt_at > 0 AND waits = 0 AND target = ?",
                target));
  }
}
