package dev.once.client;

import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations of a queue in their file. Thread-safe. */
final class QueueFile implements AutoCloseable {
  /** How long a success and an answer are kept. */
  static final Duration RETENTION = Duration.ofHours(24);

  /** A list ends early if its requests and answers take more memory. */
  static final long MAX_LIST_BYTES = 32 << 20;

  /** A larger answer is kept without its body. */
  static final int MAX_KEPT_ANSWER_BYTES = 1 << 20;

  private static final int MAX_REASON_CHARS = 500;
  private static final URI UNREADABLE = URI.create("http://unreadable.invalid/");
  private static final String NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  private static final String OPEN = "('pending', 'sending', 'failed')";
  private static final String COLUMNS =
      """
      id, key, type, lane, group_id, compensates, request, state, attempts, unanswered,
      first_sent_at, fence, next_attempt_at, advice, reason, answer
      """;

  /**
   * An operation is due if nothing that has to end before it is left. Compensations have an order
   * of their own.
   */
  private static final String DUE =
      """
      o.state = 'pending'
        AND NOT EXISTS (SELECT 1 FROM setting WHERE name = 'parked')
        AND (o.lane IS NULL OR o.compensates IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.lane = o.lane AND e.place < o.place
            AND e.state IN ('pending', 'sending', 'failed')))
        AND (o.group_id IS NULL OR o.compensates IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.group_id = o.group_id AND e.place < o.place
            AND e.compensates IS NULL AND e.state IN ('pending', 'sending', 'failed')))
        AND (o.after_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM operation e WHERE e.id = o.after_id
            AND e.state IN ('pending', 'sending', 'failed')))
        AND NOT EXISTS (SELECT 1 FROM operation e WHERE e.key = o.key AND e.state = 'sending')
      """;

  private final SqliteFile file;
  private final long maxBytes;
  private final Duration longestPause;
  private final QueueCipher cipher;
  private final Fingerprinter fingerprints;

  /**
   * @param longestPause a next attempt that is further away was planned before the clock was set
   *     back
   */
  QueueFile(
      SqliteFile file,
      long maxBytes,
      Duration longestPause,
      QueueCipher cipher,
      Fingerprinter fingerprints) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.longestPause = longestPause;
    this.cipher = cipher;
    this.fingerprints = fingerprints;
  }

  /**
   * A claimed operation.
   *
   * @param wasSent whether an earlier attempt may have reached the server
   * @param hasSucceeded whether the same key was successful before
   * @param credentials the number of changes of credentials before the claim
   */
  record Claim(
      QueuedOperation queued,
      String target,
      long fence,
      int unanswered,
      boolean wasSent,
      boolean hasSucceeded,
      long credentials) {
    Operation operation() {
      return queued.operation();
    }
  }

  /** How an attempt ended whose answer is not final. */
  record Postponement(
      boolean isCounted, boolean isAnswered, boolean isSent, Duration pause, String reason) {}

  /** Whether a claim was ended, and the operations that were dropped with it. */
  record End(boolean isEnded, List<String> dropped) {}

  @Override
  public void close() {
    file.close();
  }

  /**
   * Stores an operation.
   *
   * @param after the operation that has to end before
   */
  void enqueue(Operation operation, boolean allowsDuplicate, Optional<String> after) {
    file.write(
        "enqueuing " + operation,
        () -> insert(operation, allowsDuplicate, new Position(null, after.orElse(null), null)));
  }

  /** Stores the operations of a group, all or none; nothing if it is there already. */
  void enqueue(OperationGroup group, boolean allowsDuplicate) {
    file.write(
        "enqueuing group " + group.name(),
        () -> {
          List<String> there =
              file.query(
                  "SELECT id FROM operation WHERE group_id = ? AND compensates IS NULL ORDER BY place",
                  row -> row.getString(1),
                  group.name());
          if (!there.isEmpty()) {
            if (!there.equals(group.operations().stream().map(Operation::id).toList())) {
              throw new IllegalStateException(
                  "the queue has another group " + group.name() + ": give this one its own name");
            }
            return false;
          }
          for (OperationGroup.Member member : group.members()) {
            insert(member.operation(), allowsDuplicate, new Position(group.name(), null, null));
            if (member.compensation().isPresent()) {
              Position held = new Position(group.name(), null, member.operation().id());
              insert(member.compensation().get(), true, held);
            }
          }
          return true;
        });
  }

  /** Which operations an operation belongs to. */
  private record Position(
      @Nullable String group, @Nullable String after, @Nullable String compensates) {}

  private boolean insert(Operation operation, boolean allowsDuplicate, Position position)
      throws SQLException {
    requireSpace();
    String fingerprint = fingerprint(operation);
    requireSameRequest(operation, fingerprint);
    if (!allowsDuplicate) {
      requireNoDuplicate(operation, fingerprint);
    }
    return file.update(
            "INSERT INTO operation (id, key, type, lane, target, group_id, after_id, compensates,"
                + " request, fingerprint, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                + NOW
                + ") ON CONFLICT (id) DO NOTHING",
            operation.id(),
            operation.key(),
            operation.type(),
            operation.lane().orElse(null),
            operation.uri().getRawAuthority(),
            position.group,
            position.after,
            position.compensates,
            cipher.seal(operation.id(), QueueCodec.request(operation)),
            fingerprint,
            position.compensates == null ? "pending" : "held")
        == 1;
  }

  private void requireSpace() throws SQLException {
    String sql =
        "SELECT (page_count - freelist_count) * page_size"
            + " FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    long bytes = file.query(sql, row -> row.getLong(1)).get(0);
    if (bytes > maxBytes) {
      throw new QueueException(
          "the queue %s is full: it has %d bytes, and may have %d; send or drop operations first"
              .formatted(file.path(), bytes, maxBytes),
          null);
    }
  }

  /** An id and a key stand for one request: another one would never be sent. */
  private void requireSameRequest(Operation operation, String fingerprint) throws SQLException {
    List<Boolean> same =
        file.query(
            "SELECT key = ?1 AND fingerprint = ?3 FROM operation WHERE key = ?1 OR id = ?2"
                + " UNION ALL SELECT fingerprint = ?3 FROM success"
                + " WHERE key = ?1 AND fingerprint IS NOT NULL",
            row -> row.getBoolean(1),
            operation.key(),
            operation.id(),
            fingerprint);
    if (same.contains(false)) {
      throw new IllegalArgumentException(
          "the queue has another request with the id or the key of "
              + operation
              + ": an operation gets both when it is created, and keeps them");
    }
  }

  private void requireNoDuplicate(Operation operation, String fingerprint) throws SQLException {
    List<String> found =
        file.query(
            "SELECT id FROM operation WHERE type = ? AND fingerprint = ? AND key <> ?"
                + " AND (state IN "
                + OPEN
                + " OR (state = 'done' AND finished_at > "
                + NOW
                + " - ?)) LIMIT 1",
            row -> row.getString(1),
            operation.type(),
            fingerprint,
            operation.key(),
            RETENTION.toMillis());
    if (!found.isEmpty()) {
      throw new DuplicateOperationException(operation, found.get(0));
    }
  }

  private String fingerprint(Operation operation) {
    FingerprintParts parts =
        fingerprints.start().text(operation.method()).text(operation.uri().toString());
    operation.headers().forEach((name, value) -> parts.text(name).text(value));
    return parts.bytes(operation.body()).finish().toString();
  }

  /**
   * Claims the next operation that is due, for as long as a lease lasts.
   *
   * @param blocked servers to which nothing is sent now
   */
  Optional<Claim> claim(Duration lease, Collection<String> blocked) {
    return file.write(
        "claiming an operation",
        () -> {
          file.update(
              "UPDATE operation SET state = 'pending', next_attempt_at = 0 WHERE state = 'sending'"
                  + " AND (lease_until <= "
                  + NOW
                  + " OR lease_until > "
                  + NOW
                  + " + ?)",
              2 * Math.max(lease.toMillis(), OfflineQueue.LOOKUP_LEASE.toMillis()));
          Optional<Long> place = nextPlace(blocked);
          while (place.isPresent()) {
            try {
              return Optional.of(claim(place.get(), lease));
            } catch (QueueException e) { // It must not stop the others.
              file.update(
                  "UPDATE operation SET state = 'failed', advice = ?, reason = ?, finished_at = "
                      + NOW
                      + " WHERE place = ?",
                  Advice.CHECK_FIRST.name(),
                  shortened(String.valueOf(e.getMessage())),
                  place.get());
              place = nextPlace(blocked);
            }
          }
          return Optional.empty();
        });
  }

  private Optional<Long> nextPlace(Collection<String> blocked) throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(blocked);
    values.add(longestPause.toMillis());
    String targets = String.join(", ", blocked.stream().map(it -> "?").toList());
    return file
        .query(
            "SELECT o.place FROM operation o WHERE "
                + DUE
                + " AND o.target NOT IN ("
                + targets
                + ") AND (o.next_attempt_at <= "
                + NOW
                + " OR o.next_attempt_at > "
                + NOW
                + " + ?) ORDER BY o.place LIMIT 1",
            row -> row.getLong(1),
            values.toArray())
        .stream()
        .findFirst();
  }

  private Claim claim(long place, Duration lease) throws SQLException {
    boolean wasSent =
        file.query(
                "SELECT first_sent_at IS NOT NULL FROM operation WHERE place = ?",
                row -> row.getBoolean(1),
                place)
            .get(0);
    file.update(
        "UPDATE operation SET state = 'sending', fence = fence + 1, first_sent_at ="
            + " coalesce(first_sent_at, "
            + NOW
            + "), lease_until = "
            + NOW
            + " + ? WHERE place = ?",
        lease.toMillis(),
        place);
    String sql =
        """
        SELECT %s, target, EXISTS (
            SELECT 1 FROM success s WHERE s.key = o.key AND s.at > %s - ?) AS has_succeeded,
          coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'credentials'), 0)
            AS credentials
        FROM operation o WHERE place = ?
        """
            .formatted(COLUMNS, NOW);
    return file.query(
            sql,
            row ->
                new Claim(
                    queued(row),
                    row.getString("target"),
                    row.getLong("fence"),
                    row.getInt("unanswered"),
                    wasSent,
                    row.getBoolean("has_succeeded"),
                    row.getLong("credentials")),
            RETENTION.toMillis(),
            place)
        .get(0);
  }

  /** Prolongs a claim; false if another sender has the operation now. */
  boolean extend(Claim claim, Duration lease) {
    return file.write(
        "looking up " + claim.operation(),
        () ->
            file.update(
                    "UPDATE operation SET lease_until = "
                        + NOW
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
                        + NOW
                        + ", lease_until = "
                        + NOW
                        + " + ? WHERE id = ? AND fence = ? AND state = 'sending'",
                    lease.toMillis(),
                    claim.operation().id(),
                    claim.fence())
                == 1);
  }

  /** Ends a claim; false if another sender has the operation by now, which changes nothing. */
  boolean done(Claim claim, Optional<Answer> answer) {
    return withoutAnswerIfFull(
        answer,
        kept ->
            file.write(
                "completing " + claim.operation(),
                () -> {
                  Operation operation = claim.operation();
                  int rows =
                      file.update(
                          "UPDATE operation SET state = 'done', answer = ?, advice = NULL,"
                              + " reason = NULL, finished_at = "
                              + NOW
                              + " WHERE id = ? AND fence = ? AND state = 'sending'",
                          sealed(operation, kept),
                          operation.id(),
                          claim.fence());
                  if (rows == 1) {
                    remember(operation.key(), fingerprint(operation));
                    releaseCompensations(claim.queued());
                  }
                  return rows == 1;
                }));
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

  private byte @Nullable [] sealed(Operation operation, Optional<Answer> answer) {
    return answer
        .map(it -> cipher.seal(operation.id(), QueueCodec.answer(it, MAX_KEPT_ANSWER_BYTES)))
        .orElse(null);
  }

  private void remember(String key, @Nullable String fingerprint) throws SQLException {
    file.update(
        "INSERT INTO success (key, fingerprint, at) VALUES (?, ?, "
            + NOW
            + ") ON CONFLICT (key) DO UPDATE SET at = excluded.at",
        key,
        fingerprint);
  }

  /** Drops what would undo a group that is done. */
  private void releaseCompensations(QueuedOperation member) throws SQLException {
    if (member.group().isPresent() && member.compensates().isEmpty()) {
      file.update(
          "UPDATE operation SET state = 'dropped', reason = 'its group is done', finished_at = "
              + NOW
              + " WHERE group_id = ?1 AND state = 'held' AND NOT EXISTS (SELECT 1 FROM operation e"
              + " WHERE e.group_id = ?1 AND e.compensates IS NULL AND e.state <> 'done')",
          member.group().get());
    }
  }

  /** Gives a claim back, to be sent again after a pause. */
  boolean postpone(Claim claim, Postponement how) {
    return file.write(
        "postponing " + claim.operation(),
        () ->
            file.update(
                    "UPDATE operation SET state = 'pending', attempts = attempts + ?,"
                        + " unanswered = CASE WHEN ? THEN 0 ELSE unanswered + 1 END, reason = ?,"
                        + " first_sent_at = CASE WHEN ? THEN first_sent_at END, next_attempt_at = "
                        + NOW
                        + " + ? WHERE id = ? AND fence = ? AND state = 'sending'",
                    how.isCounted() ? 1 : 0,
                    how.isAnswered(),
                    shortened(how.reason()),
                    claim.wasSent() || how.isSent(),
                    how.pause().toMillis(),
                    claim.operation().id(),
                    claim.fence())
                == 1);
  }

  /** Sends what waits for a server at once, which answers again. */
  void retryNow(String target) {
    file.write(
        "resuming " + target,
        () ->
            file.update(
                "UPDATE operation SET next_attempt_at = 0 WHERE state = 'pending' AND unanswered > 0"
                    + " AND target = ?",
                target));
  }

  /**
   * Gives a claim back, and sends nothing until the credentials change. Returns false if they
   * changed since the claim.
   */
  boolean park(Claim claim, String reason) {
    return file.write(
        "parking the queue",
        () -> {
          int rows =
              file.update(
                  "UPDATE operation SET state = 'pending', reason = ?, first_sent_at ="
                      + " CASE WHEN ? THEN first_sent_at END"
                      + " WHERE id = ? AND fence = ? AND state = 'sending'",
                  shortened(reason),
                  claim.wasSent(),
                  claim.operation().id(),
                  claim.fence());
          return rows == 1
              && file.update(
                      "INSERT INTO setting (name, value) SELECT 'parked', ? WHERE ? ="
                          + " coalesce((SELECT CAST(value AS INTEGER) FROM setting"
                          + " WHERE name = 'credentials'), 0)"
                          + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                      shortened(reason),
                      claim.credentials())
                  == 1;
        });
  }

  Optional<String> parked() {
    return file.read(
        "reading the queue",
        () ->
            file
                .query("SELECT value FROM setting WHERE name = 'parked'", row -> row.getString(1))
                .stream()
                .findFirst());
  }

  void changeCredentials() {
    file.write(
        "resuming the queue",
        () -> {
          file.update(
              "INSERT INTO setting (name, value) VALUES ('credentials', '1') ON CONFLICT (name)"
                  + " DO UPDATE SET value = CAST(value AS INTEGER) + 1");
          return file.update("DELETE FROM setting WHERE name = 'parked'");
        });
  }

  /** Moves a claim to the failed operations. A refusal also undoes its group. */
  End fail(Claim claim, Advice advice, String reason, Optional<Answer> answer, boolean isRefused) {
    return withoutAnswerIfFull(
        answer,
        kept ->
            file.write(
                "failing " + claim.operation(),
                () -> {
                  Operation operation = claim.operation();
                  int rows =
                      file.update(
                          "UPDATE operation SET state = 'failed', advice = ?, reason = ?, answer = ?,"
                              + " attempts = attempts + 1, finished_at = "
                              + NOW
                              + " WHERE id = ? AND fence = ? AND state = 'sending'",
                          advice.name(),
                          shortened(reason),
                          sealed(operation, kept),
                          operation.id(),
                          claim.fence());
                  QueuedOperation queued = claim.queued();
                  boolean isMember = queued.group().isPresent() && queued.compensates().isEmpty();
                  return new End(
                      rows == 1,
                      rows == 1 && isRefused && isMember
                          ? undo(queued.group().get(), operation.id(), false)
                          : List.of());
                }));
  }

  /**
   * Drops what is left of a group, and undoes what is done, the last operation first.
   *
   * @param isEffectPossible whether the operation that ends the group may have taken effect
   * @return the operations that were dropped
   */
  private List<String> undo(String group, String endedId, boolean isEffectPossible)
      throws SQLException {
    List<String> dropped =
        file.query(
            "SELECT id FROM operation WHERE group_id = ? AND compensates IS NULL"
                + " AND state IN ('pending', 'failed') AND id <> ?",
            row -> row.getString(1),
            group,
            endedId);
    for (String id : dropped) {
      dropNow(id, "operation " + endedId + " of its group was refused or dropped");
    }
    List<String> undoing =
        file.query(
            "SELECT c.id FROM operation c JOIN operation d ON d.id = c.compensates"
                + " WHERE c.group_id = ? AND c.state = 'held' AND (d.state = 'done' OR (? AND d.id = ?))"
                + " ORDER BY d.place DESC",
            row -> row.getString(1),
            group,
            isEffectPossible,
            endedId);
    String before = null;
    for (String id : undoing) {
      file.update("UPDATE operation SET state = 'pending', after_id = ? WHERE id = ?", before, id);
      before = id;
    }
    file.update(
        "UPDATE operation SET state = 'dropped', reason = 'there is nothing to undo', finished_at = "
            + NOW
            + " WHERE group_id = ? AND state = 'held'",
        group);
    return dropped;
  }

  private void dropNow(String id, String reason) throws SQLException {
    file.update(
        "UPDATE operation SET state = 'dropped', reason = ?, finished_at = "
            + NOW
            + " WHERE id = ?",
        shortened(reason),
        id);
  }

  /** Sends a failed operation again; false if it has not failed. */
  boolean resend(String id) {
    return file.write("changing operation " + id, () -> reopen(id, List.of(OperationState.FAILED)));
  }

  private boolean reopen(String id, List<OperationState> from) throws SQLException {
    return file.update(
            "UPDATE operation SET state = 'pending', reason = NULL, advice = NULL, attempts = 0,"
                + " unanswered = 0, next_attempt_at = 0, finished_at = NULL WHERE id = ?"
                + " AND state IN ("
                + words(from)
                + ")",
            id)
        == 1;
  }

  /**
   * Gives up an operation that is not being sent, and undoes its group.
   *
   * @throws IllegalStateException if another operation of its group is being sent
   */
  End drop(String id) {
    return file.write(
        "dropping operation " + id,
        () -> {
          Optional<QueuedOperation> found = load(id);
          if (found.isEmpty()
              || !List.of(OperationState.PENDING, OperationState.FAILED)
                  .contains(found.get().state())) {
            return new End(false, List.of());
          }
          boolean isEffectPossible = mayHaveTakenEffect(id);
          dropNow(id, "by its user");
          QueuedOperation dropped = found.get();
          if (dropped.group().isEmpty() || dropped.compensates().isPresent()) {
            return new End(true, List.of());
          }
          String group = dropped.group().get();
          List<String> sending =
              file.query(
                  "SELECT id FROM operation WHERE group_id = ? AND state = 'sending'",
                  row -> row.getString(1),
                  group);
          if (!sending.isEmpty()) {
            throw new IllegalStateException(
                "operation %s of group %s is being sent: drop this one after it has ended"
                    .formatted(sending.get(0), group));
          }
          return new End(true, undo(group, id, isEffectPossible));
        });
  }

  /**
   * Replaces the key and the request of an operation that is not being sent; its attempts start
   * over. Returns false if it is in another state, or may have taken effect and {@code evenIfSent}
   * is false.
   */
  boolean replace(String id, List<OperationState> from, Operation replacement, boolean evenIfSent) {
    return file.write(
        "changing operation " + id,
        () -> {
          if ((!evenIfSent && mayHaveTakenEffect(id)) || !reopen(id, from)) {
            return false;
          }
          return file.update(
                  "UPDATE operation SET key = ?, request = ?, fingerprint = ?, answer = NULL,"
                      + " first_sent_at = NULL WHERE id = ?",
                  replacement.key(),
                  cipher.seal(id, QueueCodec.request(replacement)),
                  fingerprint(replacement),
                  id)
              == 1;
        });
  }

  /** Returns whether it was sent, and not refused. */
  private boolean mayHaveTakenEffect(String id) throws SQLException {
    return file.query(
            "SELECT first_sent_at IS NOT NULL"
                + " AND (state <> 'failed' OR advice IN ('SEND_AGAIN', 'CHECK_FIRST'))"
                + " FROM operation WHERE id = ?",
            row -> row.getBoolean(1),
            id)
        .contains(true);
  }

  Optional<QueuedOperation> find(String id) {
    return file.read("reading operation " + id, () -> load(id));
  }

  private Optional<QueuedOperation> load(String id) throws SQLException {
    return file
        .query("SELECT " + COLUMNS + " FROM operation WHERE id = ?", this::queuedOrUnreadable, id)
        .stream()
        .findFirst();
  }

  /** Returns operations in the order in which they were enqueued, after {@code afterId}. */
  List<QueuedOperation> list(List<OperationState> states, Optional<String> afterId, int limit) {
    String sql =
        """
        SELECT %1$s FROM (
          SELECT o.*, sum(length(request) + coalesce(length(answer), 0)) OVER (ORDER BY place)
            - length(request) - coalesce(length(answer), 0) AS bytes_before
          FROM operation o
          WHERE state IN (%2$s)
            AND place > coalesce((SELECT place FROM operation WHERE id = ?), 0)
          ORDER BY place LIMIT ?)
        WHERE bytes_before < ? ORDER BY place
        """
            .formatted(COLUMNS, words(states));
    return file.read(
        "listing operations",
        () ->
            file.query(sql, this::queuedOrUnreadable, afterId.orElse(null), limit, MAX_LIST_BYTES));
  }

  private static String words(List<OperationState> states) {
    return String.join(", ", states.stream().map(it -> "'" + it.word() + "'").toList());
  }

  long count(OperationState state) {
    return file.read(
        "counting operations",
        () ->
            file.query(
                    "SELECT count(*) FROM operation WHERE state = ?",
                    row -> row.getLong(1),
                    state.word())
                .get(0));
  }

  boolean hasSucceeded(String key) {
    return file.read(
        "reading a key",
        () ->
            !file.query(
                    "SELECT 1 FROM success WHERE key = ? AND at > " + NOW + " - ?",
                    row -> row.getInt(1),
                    key,
                    RETENTION.toMillis())
                .isEmpty());
  }

  void markSuccess(String key) {
    file.write(
        "remembering a key",
        () -> {
          remember(key, null);
          return true;
        });
  }

  /** Deletes successes, answers and dropped operations that are older than the retention. */
  void purge() {
    file.write(
        "purging",
        () -> {
          file.update("DELETE FROM success WHERE at <= " + NOW + " - ?", RETENTION.toMillis());
          return file.update(
              "DELETE FROM operation WHERE state IN ('done', 'dropped') AND finished_at <= "
                  + NOW
                  + " - ? AND (group_id IS NULL OR NOT EXISTS (SELECT 1 FROM operation e"
                  + " WHERE e.group_id = operation.group_id AND e.state IN "
                  + OPEN
                  + "))",
              RETENTION.toMillis());
        });
  }

  /** Returns how long until an operation may be due; empty if none waits. */
  Optional<Duration> nextDue() {
    return file.read(
        "reading the queue",
        () ->
            file.query(
                    "SELECT min(CASE o.state WHEN 'sending' THEN o.lease_until ELSE o.next_attempt_at"
                        + " END) - "
                        + NOW
                        + " FROM operation o WHERE o.state = 'sending' OR ("
                        + DUE
                        + ")",
                    QueueFile::optionalLong)
                .get(0)
                .map(it -> Duration.ofMillis(Math.max(0, it))));
  }

  private static Optional<Long> optionalLong(ResultSet row) throws SQLException {
    long value = row.getLong(1);
    return row.wasNull() ? Optional.empty() : Optional.of(value);
  }

  /** Shows a row whose request cannot be read without it: it can be dropped. */
  private QueuedOperation queuedOrUnreadable(ResultSet row) throws SQLException {
    try {
      return queued(row);
    } catch (QueueException e) {
      Operation.Builder unreadable = Operation.builder("UNREADABLE", UNREADABLE);
      return queued(row, unreadable, Optional.empty());
    }
  }

  private QueuedOperation queued(ResultSet row) throws SQLException {
    String id = row.getString("id");
    return queued(
        row,
        QueueCodec.request(cipher.open(id, row.getBytes("request"))),
        Optional.ofNullable(row.getBytes("answer"))
            .map(it -> QueueCodec.answer(cipher.open(id, it))));
  }

  private static QueuedOperation queued(
      ResultSet row, Operation.Builder request, Optional<Answer> answer) throws SQLException {
    Operation.Builder operation =
        request.id(row.getString("id")).key(row.getString("key")).type(row.getString("type"));
    Optional.ofNullable(row.getString("lane")).ifPresent(operation::lane);
    OperationState state = OperationState.of(row.getString("state"));
    return new QueuedOperation(
        operation.build(),
        Optional.ofNullable(row.getString("group_id")),
        Optional.ofNullable(row.getString("compensates")),
        state,
        row.getInt("attempts"),
        time(row, "first_sent_at"),
        state == OperationState.PENDING ? time(row, "next_attempt_at") : Optional.empty(),
        Optional.ofNullable(row.getString("advice")).map(Advice::valueOf),
        Optional.ofNullable(row.getString("reason")),
        answer);
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() || millis == 0
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(millis));
  }

  private static String shortened(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "…";
  }
}
