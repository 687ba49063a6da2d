package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Adds jobs, in one round trip however many they are. */
final class EnqueueStatement {
  private static final String MANY =
      """
      SELECT e.id, e.created, e.matches, e.state, e.fence, e.enqueued_at
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
        AS j (tenant, queue, type, key, fingerprint, priority, aggregate, delay, run_at,
              correlation, payload, sealed_by, lease, place)
      CROSS JOIN LATERAL once_job_enqueue(
        j.tenant, j.queue, j.type, j.key, j.fingerprint, j.priority, j.aggregate,
        j.delay * interval '1 microsecond', j.run_at, j.correlation, j.payload,
        j.sealed_by, j.lease * interval '1 microsecond') e
      ORDER BY j.place
      """;

  /** The same for one job, which takes half as long in this form. */
  private static final String ONE =
      """
      SELECT id, created, matches, state, fence, enqueued_at
      FROM once_job_enqueue(?, ?, ?, ?, ?, ?::smallint, ?, ? * interval '1 microsecond',
                            ?::timestamptz, ?, ?, ?, ?::bigint * interval '1 microsecond')
      """;

  /**
   * Every caller enqueues several keys in this order, so that no two callers deadlock. Jobs of one
   * aggregate stay in the order in which they were given: it is the order in which they run.
   */
  private static final Comparator<Job> ORDER =
      Comparator.comparing((Job job) -> job.key().tenant())
          .thenComparing(job -> job.key().queue())
          .thenComparing(job -> job.aggregate().orElse(""))
          .thenComparing(job -> job.aggregate().isPresent() ? "" : job.key().value());

  private final PayloadProtection protection;

  EnqueueStatement(PayloadProtection protection) {
    this.protection = protection;
  }

  /**
   * A job as its row has it.
   *
   * @param place its place among the jobs of the call
   * @param lease its lease if it starts eagerly
   */
  private record Row(
      int place, Job job, Fingerprint fingerprint, JobPayload payload, Optional<Duration> lease) {
    OptionalLong leaseMicros() {
      return lease.stream().mapToLong(Parameters::micros).findFirst();
    }

    /** Returns the job as if it had been claimed when it was enqueued. */
    ClaimedJob leased(ResultSet row) throws SQLException {
      return new ClaimedJob(
          row.getLong("id"),
          row.getLong("fence"),
          1,
          job.key(),
          fingerprint,
          job.priority(),
          false,
          row.getTimestamp("enqueued_at").toInstant(),
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Optional.empty(),
          job.correlation(),
          payload,
          OptionalLong.empty());
    }
  }

  /**
   * Returns the result of each of {@code jobs}, in their order, and leases those of {@code eager}.
   */
  List<EnqueueResult> execute(Connection connection, List<Job> jobs, EagerStart eager)
      throws SQLException {
    List<Row> rows =
        IntStream.range(0, jobs.size())
            .mapToObj(place -> row(place, jobs.get(place), eager))
            .sorted(Comparator.comparing(Row::job, ORDER))
            .toList();
    try (PreparedStatement statement = connection.prepareStatement(rows.size() == 1 ? ONE : MANY)) {
      Parameters parameters = new Parameters(statement);
      if (rows.size() == 1) {
        bind(parameters, rows.get(0));
      } else {
        bind(parameters, rows);
      }
      return read(statement, rows, eager);
    }
  }

  private Row row(int place, Job job, EagerStart eager) {
    return new Row(
        place,
        job,
        protection.stored(job.fingerprint()),
        protection.seal(job.key(), job.payload()),
        eager.lease(place));
  }

  private static void bind(Parameters parameters, Row row) throws SQLException {
    Job job = row.job();
    parameters
        .text(job.key().tenant())
        .text(job.key().queue())
        .text(job.key().type())
        .text(job.key().value())
        .text(row.fingerprint().toString())
        .number(job.priority())
        .text(job.aggregate().orElse(null))
        .duration(job.delay())
        .time(job.runAt().orElse(null))
        .text(job.correlation().toText())
        .bytes(row.payload().bytes())
        .text(row.payload().sealedBy())
        .number(row.leaseMicros());
  }

  private static void bind(Parameters parameters, List<Row> rows) throws SQLException {
    parameters
        .array("text", rows, row -> row.job().key().tenant())
        .array("text", rows, row -> row.job().key().queue())
        .array("text", rows, row -> row.job().key().type())
        .array("text", rows, row -> row.job().key().value())
        .array("text", rows, row -> row.fingerprint().toString())
        .array("int2", rows, row -> (short) row.job().priority())
        .array("text", rows, row -> row.job().aggregate().orElse(null))
        .array("int8", rows, row -> Parameters.micros(row.job().delay()))
        .array("timestamptz", rows, row -> row.job().runAt().map(Timestamp::from).orElse(null))
        .array("text", rows, row -> row.job().correlation().toText())
        .byteArrays(rows, row -> row.payload().bytes())
        .array("text", rows, row -> row.payload().sealedBy())
        .array("int8", rows, row -> row.lease().map(Parameters::micros).orElse(null));
  }

  /**
   * Reads all rows before it refuses one: the caller may commit its transaction all the same, and
   * then the others have to start.
   */
  private static List<EnqueueResult> read(
      PreparedStatement statement, List<Row> sorted, EagerStart eager) throws SQLException {
    EnqueueResult[] results = new EnqueueResult[sorted.size()];
    List<JobMismatchException> refused = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      for (int i = 0; rows.next(); i++) {
        Row row = sorted.get(i);
        EnqueueResult result =
            new EnqueueResult(
                rows.getLong("id"),
                rows.getBoolean("created"),
                JobState.of(rows.getString("state")));
        results[row.place()] = result;
        if (!rows.getBoolean("matches")) {
          refused.add(new JobMismatchException(row.job().key(), result.id()));
        } else if (result.created() && result.state() == JobState.RUNNING) {
          eager.leased(row.place(), row.leased(rows));
        }
      }
    }
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
    return List.of(results);
  }
}
