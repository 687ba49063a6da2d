package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;

/**
 * What somebody did to a dead letter.
 *
 * @param id names the entry; later ones are higher
 * @param actor who did it
 * @param job the letter's id
 * @param attempt how many times it had been tried
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
  /** What can be done to a dead letter. */
  public enum Action {
    /** It went back in line, with all its tries before it. */
    RETRY,
    /** It was removed, and counts as finished. */
    DISCARD
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
