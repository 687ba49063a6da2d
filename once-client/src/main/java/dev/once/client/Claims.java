package dev.once.client;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which operation is sent next, and by which sender. */
final class Claims {
  /**
   * Nothing that has to end before is left. Compensations have an order of their own. The index has
   * only those that probably are free.
   */
  private static final String FREE =
      """
      (o.ordering_key IS NULL OR o.compensates IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.ordering_key = o.ordering_key AND e.place < o.place
            AND e.state IN %1$s))
        AND (o.group_id IS NULL OR o.compensates IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.group_id = o.group_id AND e.place < o.place
            AND e.compensates IS NULL AND e.state IN %1$s))
        AND (o.after_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.id = o.after_id AND e.state IN %1$s))
        AND NOT EXISTS (SELECT 1 FROM operation e WHERE e.key = o.key AND e.state = 'sending')
      """
          .formatted(OperationRows.OPEN);

  private static final String READY =
      "operation o WHERE o.state = 'pending' AND o.waits = 0 AND o.target = ?1";

  private static final String RELEASE_LAPSED =
      """
      UPDATE operation SET state = 'pending', next_attempt_at = 0
      WHERE state = 'sending' AND (lease_until <= %1$s OR lease_until > %1$s + ?)
      """
          .formatted(SqliteFile.NOW);

  /** The servers for which something is ready, by one step in the index for each. */
  private static final String TARGETS =
      """
      WITH RECURSIVE found (target) AS (
        SELECT min(target) FROM operation WHERE state = 'pending' AND waits = 0
        UNION ALL
        SELECT (SELECT min(o.target) FROM operation o
          WHERE o.state = 'pending' AND o.waits = 0 AND o.target > found.target)
        FROM found WHERE found.target IS NOT NULL)
      SELECT target FROM found WHERE target IS NOT NULL
      """;

  /**
   * The operation for a server that has been due for the longest time: of those that were not tried
   * yet, of those whose pause is over, and of those whose pause would end too far in the future,
   * because the clock was set back.
   */
  private static final String NEXT =
      """
      SELECT place, max(next_attempt_at, created_at) AS due_since FROM (
        SELECT * FROM (SELECT o.place, o.next_attempt_at, o.created_at FROM %1$s
          AND o.next_attempt_at = 0 AND %2$s ORDER BY o.place LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT o.place, o.next_attempt_at, o.created_at FROM %1$s
          AND o.next_attempt_at > 0 AND o.next_attempt_at <= %3$s AND %2$s
          ORDER BY o.next_attempt_at, o.place LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT o.place, o.next_attempt_at, o.created_at FROM %1$s
          AND o.next_attempt_at > %3$s + ?2 AND %2$s
          ORDER BY o.next_attempt_at, o.place LIMIT 1))
      ORDER BY due_since, place LIMIT 1
      """
          .formatted(READY, FREE, SqliteFile.NOW);

  private static final String NEXT_DUE =
      "SELECT o.next_attempt_at - %s FROM %s AND %s ORDER BY o.next_attempt_at LIMIT 1"
          .formatted(SqliteFile.NOW, READY, FREE);

  private static final String CLAIM =
      """
      UPDATE operation SET state = 'sending', fence = fence + 1,
        first_sent_at = coalesce(first_sent_at, %1$s), lease_until = %1$s + ? WHERE place = ?
      """
          .formatted(SqliteFile.NOW);

  private static final String CLAIMED =
      "SELECT " + OperationRows.COLUMNS + ", target FROM operation WHERE place = ?";

  private static final String SET_ASIDE =
      "UPDATE operation SET state = 'failed', advice = ?, reason = ?, finished_at = "
          + SqliteFile.NOW
          + " WHERE place = ?";

  private final SqliteFile file;
  private final OperationRows rows;
  private final QueueSettings settings;
  private final SuccessLedger successes;
  private final Duration longestPause;

  /**
   * @param longestPause a next attempt that is further away was planned before the clock was set
   *     back
   */
  Claims(
      SqliteFile file,
      OperationRows rows,
      QueueSettings settings,
      SuccessLedger successes,
      Duration longestPause) {
    this.file = file;
    this.rows = rows;
    this.settings = settings;
    this.successes = successes;
    this.longestPause = longestPause;
  }

  private record Candidate(long place, long dueSince) {}

  /**
   * Claims the next operation that is due, for as long as a lease lasts.
   *
   * @param contract by which it will be sent
   * @param blocked servers to which nothing is sent now
   */
  Optional<Claim> claim(Duration lease, String contract, Collection<String> blocked) {
    return file.write("claiming an operation", () -> next(lease, contract, blocked));
  }

  private Optional<Claim> next(Duration lease, String contract, Collection<String> blocked)
      throws SQLException {
    QueueSettings.Snapshot now = settings.read();
    file.update(
        RELEASE_LAPSED, 2 * Math.max(lease.toMillis(), OfflineQueue.LOOKUP_LEASE.toMillis()));
    if (now.parked().isPresent()) {
      return Optional.empty();
    }
    if (now.contract().filter(it -> !it.equals(contract)).isPresent()) {
      throw settings.mismatch(now.contract().get(), contract);
    }
    Optional<Long> place = nextPlace(blocked);
    while (place.isPresent()) {
      try {
        return Optional.of(claim(place.get(), lease, now.credentials()));
      } catch (QueueException e) { // It cannot be decoded, and must not stop the others.
        file.update(
            SET_ASIDE,
            Advice.CHECK_FIRST.name(),
            OperationRows.shortened(String.valueOf(e.getMessage())),
            place.get());
        place = nextPlace(blocked);
      }
    }
    return Optional.empty();
  }

  private Optional<Long> nextPlace(Collection<String> blocked) throws SQLException {
    Optional<Candidate> best = Optional.empty();
    for (String target : readyTargets(blocked)) {
      Optional<Candidate> next =
          file.first(
              NEXT,
              row -> new Candidate(row.getLong(1), row.getLong(2)),
              target,
              longestPause.toMillis());
      best = earlier(best, next, Comparator.comparingLong(Candidate::dueSince));
    }
    return best.map(Candidate::place);
  }

  private List<String> readyTargets(Collection<String> blocked) throws SQLException {
    return file.query(TARGETS, row -> row.getString(1)).stream()
        .filter(it -> !blocked.contains(it))
        .toList();
  }

  private Claim claim(long place, Duration lease, long credentials) throws SQLException {
    boolean wasSent =
        file.exists("SELECT 1 FROM operation WHERE place = ? AND first_sent_at IS NOT NULL", place);
    file.update(CLAIM, lease.toMillis(), place);
    Claim claim = file.first(CLAIMED, row -> read(row, wasSent, credentials), place).orElseThrow();
    return successes.contains(claim.operation().key()) ? claim.withSuccess() : claim;
  }

  private Claim read(ResultSet row, boolean wasSent, long credentials) throws SQLException {
    return new Claim(
        rows.read(row),
        row.getString("target"),
        row.getLong("fence"),
        row.getInt("unanswered"),
        wasSent,
        false,
        credentials,
        Instant.now(),
        System.nanoTime());
  }

  /** Prolongs a claim; false if another sender has the operation now. */
  boolean extend(Claim claim, Duration lease) {
    return file.write(
        "prolonging the claim of " + claim.operation(),
        () ->
            file.update(
                    "UPDATE operation SET lease_until = "
                        + SqliteFile.NOW
                        + " + ? WHERE id = ? AND fence = ? AND state = 'sending'",
                    lease.toMillis(),
                    claim.operation().id(),
                    claim.fence())
                == 1);
  }

  /**
   * The server does not know the key: the time for which it remembers it starts again. Returns
   * false if another sender has the operation now.
   */
  boolean restartRetention(Claim claim, Duration lease) {
    return file.write(
        "sending " + claim.operation(),
        () ->
            file.update(
                    "UPDATE operation SET first_sent_at = "
                        + SqliteFile.NOW
                        + ", lease_until = "
                        + SqliteFile.NOW
                        + " + ? WHERE id = ? AND fence = ? AND state = 'sending'",
                    lease.toMillis(),
                    claim.operation().id(),
                    claim.fence())
                == 1);
  }

  /**
   * Returns how long until an operation may be due; empty if none waits.
   *
   * @param blocked servers to which nothing is sent now
   */
  Optional<Duration> nextDue(Collection<String> blocked) {
    return file.read(
        "reading the queue",
        () -> {
          Optional<Duration> next =
              due(
                  "SELECT lease_until - "
                      + SqliteFile.NOW
                      + " FROM operation WHERE state = 'sending' ORDER BY lease_until LIMIT 1");
          if (settings.read().parked().isPresent()) {
            return next;
          }
          for (String target : readyTargets(blocked)) {
            next = earlier(next, due(NEXT_DUE, target), Comparator.naturalOrder());
          }
          return next;
        });
  }

  private static <T> Optional<T> earlier(Optional<T> one, Optional<T> other, Comparator<T> order) {
    return Stream.of(one, other).flatMap(Optional::stream).min(order);
  }

  private Optional<Duration> due(String sql, Object... values) throws SQLException {
    return file.first(sql, row -> Duration.ofMillis(Math.max(0, row.getLong(1))), values);
  }
}
