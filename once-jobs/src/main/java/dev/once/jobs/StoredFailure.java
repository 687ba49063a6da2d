package dev.once.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as the row of its job has it: in the columns reason and stack, or sealed
 * in the column failure.
 */
@SuppressWarnings("ArrayRecordComponent") // passed from and to a row, never compared
record StoredFailure(@Nullable String reason, @Nullable String stack, byte @Nullable [] sealed) {
  static final StoredFailure NONE = new StoredFailure(null, null, null);

  /** The columns of a row {@code j} that {@link #read} needs. */
  static final String COLUMNS = "j.reason, j.stack, j.failure";

  static StoredFailure plain(AttemptFailure failure) {
    return new StoredFailure(failure.reason(), failure.stack().orElse(null), null);
  }

  static StoredFailure sealed(byte[] sealed) {
    return new StoredFailure(null, null, sealed);
  }

  static StoredFailure read(ResultSet row) throws SQLException {
    return new StoredFailure(
        row.getString("reason"), row.getString("stack"), row.getBytes("failure"));
  }

  /** Returns the failure of the job with {@code key}; empty if no attempt failed. */
  Optional<AttemptFailure> open(JobKey key, PayloadProtection protection) {
    return sealed == null
        ? Optional.ofNullable(reason).map(it -> new AttemptFailure(it, Optional.ofNullable(stack)))
        : Optional.of(protection.openFailure(key, sealed));
  }
}
