package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;

/**
 * An operator's change of a dead letter, or of a job that was not finished.
 *
 * @param id the id of the entry; later entries have higher ids
 * @param actor the operator
 * @param job the job's id
 * @param attempt the number of attempts before the change
 */
public record LetterAudit(
    long id,
    Instant at,
    String actor,
    Action action,
    long job,
    JobKey key,
    Fingerprint fingerprint,
    int attempt,
    Headers correlation) {
  /** The changes that operators can make. */
  public enum Action {
    /** The letter became ready again, with all its attempts. */
    RETRY,
    /** The same, although what its attempts did may have been forgotten. */
    REPEAT,
    /** The letter was removed, and counts as finished. */
    DISCARD,
    /** A job that was not finished was removed, and counts as finished. */
    CANCEL,
    /** A job that did not run is due at another time. */
    POSTPONE
  }

  static LetterAudit read(ResultSet row) throws SQLException {
    String key = row.getString("key");
    String type = key.substring(0, key.indexOf(':')); // A type has no colon in it.
    return new LetterAudit(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        row.getString("actor"),
        Action.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
        row.getLong("job"),
        JobKey.of(row.getString("tenant"), row.getString("queue"), type, key),
        Fingerprint.parse(row.getString("fingerprint")),
        row.getInt("attempt"),
        Headers.parse(row.getString("correlation")));
  }
}
