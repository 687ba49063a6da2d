package dev.once.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry of a history, as its row has it. */
@SuppressWarnings("ArrayRecordComponent") // read from a row, never compared
record Entry(
    String path,
    EntryKind kind,
    String name,
    @Nullable String input,
    EntryState state,
    int failedAttempts,
    byte @Nullable [] value,
    byte @Nullable [] failure,
    Optional<Instant> dueAt,
    long number) {
  static Entry read(ResultSet row) throws SQLException {
    Timestamp dueAt = row.getTimestamp("due_at");
    return new Entry(
        row.getString("path"),
        EntryKind.of(row.getString("kind")),
        row.getString("name"),
        row.getString("input"),
        EntryState.of(row.getString("state")),
        row.getInt("attempt"),
        row.getBytes("value"),
        row.getBytes("failure"),
        Optional.ofNullable(dueAt).map(Timestamp::toInstant),
        row.getLong("number"));
  }

  Entry withState(EntryState other) {
    return new Entry(path, kind, name, input, other, failedAttempts, value, failure, dueAt, number);
  }

  boolean isDue(Instant now) {
    return dueAt.map(it -> !it.isAfter(now)).orElse(false);
  }
}
