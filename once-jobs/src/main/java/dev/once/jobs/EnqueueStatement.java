package dev.once.jobs;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Adds jobs, in one round trip however many they are. */
final class EnqueueStatement {
  private static final String MANY =
      """
      SELECT e.id, e.created, e.matches, e.state
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
        AS j (tenant, queue, type, key, fingerprint, priority, aggregate, delay, run_at,
              correlation, payload, sealed_by, place)
      CROSS JOIN LATERAL once_job_enqueue(
        j.tenant, j.queue, j.type, j.key, j.fingerprint, j.priority, j.aggregate,
        j.delay * interval '1 microsecond', j.run_at, j.correlation, j.payload,
        j.sealed_by) e
      ORDER BY j.place
      """;

  /** The same for one job, which takes half as long in this form. */
  private static final String ONE =
      """
      SELECT id, created, matches, state
      FROM once_job_enqueue(?, ?, ?, ?, ?, ?::smallint, ?, ? * interval '1 microsecond',
                            ?::timestamptz, ?, ?, ?)
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

  /** Returns the result of each of {@code jobs}, in their order. */
  List<EnqueueResult> execute(Connection connection, List<Job> jobs) throws SQLException {
    return jobs.size() == 1
        ? List.of(execute(connection, jobs.get(0)))
        : executeMany(connection, jobs);
  }

  private EnqueueResult execute(Connection connection, Job job) throws SQLException {
    JobPayload payload = protection.seal(job.key(), job.payload());
    try (PreparedStatement statement = connection.prepareStatement(ONE)) {
      new Parameters(statement)
          .text(job.key().tenant())
          .text(job.key().queue())
          .text(job.key().type())
          .text(job.key().value())
          .text(protection.stored(job.fingerprint()).toString())
          .number(job.priority())
          .text(job.aggregate().orElse(null))
          .duration(job.delay())
          .time(job.runAt().orElse(null))
          .text(job.correlation().toText())
          .bytes(payload.bytes())
          .text(payload.sealedBy());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return read(row, job);
      }
    }
  }

  private List<EnqueueResult> executeMany(Connection connection, List<Job> jobs)
      throws SQLException {
    List<Integer> order =
        IntStream.range(0, jobs.size())
            .boxed()
            .sorted(Comparator.comparing(jobs::get, ORDER))
            .toList();
    List<Job> sorted = order.stream().map(jobs::get).toList();
    EnqueueResult[] answers = new EnqueueResult[jobs.size()];
    try (PreparedStatement statement = connection.prepareStatement(MANY)) {
      bind(new Parameters(statement), sorted);
      try (ResultSet rows = statement.executeQuery()) {
        for (int i = 0; rows.next(); i++) {
          answers[order.get(i)] = read(rows, sorted.get(i));
        }
      }
    }
    return List.of(answers);
  }

  private void bind(Parameters parameters, List<Job> jobs) throws SQLException {
    List<JobPayload> payloads =
        jobs.stream().map(job -> protection.seal(job.key(), job.payload())).toList();
    parameters
        .array("text", jobs, job -> job.key().tenant())
        .array("text", jobs, job -> job.key().queue())
        .array("text", jobs, job -> job.key().type())
        .array("text", jobs, job -> job.key().value())
        .array("text", jobs, job -> protection.stored(job.fingerprint()).toString())
        .array("int2", jobs, job -> (short) job.priority())
        .array("text", jobs, job -> job.aggregate().orElse(null))
        .array("int8", jobs, job -> Parameters.micros(job.delay()))
        .array("timestamptz", jobs, job -> job.runAt().map(Timestamp::from).orElse(null))
        .array("text", jobs, job -> job.correlation().toText())
        .byteArrays(payloads, JobPayload::bytes)
        .array("text", payloads, JobPayload::sealedBy);
  }

  private static EnqueueResult read(ResultSet row, Job job) throws SQLException {
    long id = row.getLong("id");
    if (!row.getBoolean("matches")) {
      throw new JobMismatchException(job.key(), id);
    }
    return new EnqueueResult(id, row.getBoolean("created"), JobState.of(row.getString("state")));
  }
}
