package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How many jobs there are, for dashboards. */
class JobGaugesTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final JobGauges gauges = new JobGauges();
  private final DataSource database = EmbeddedPostgres.shared().newDatabase("gauges");
  private final Jobs jobs;
  private final JobCount count;

  JobGaugesTest() {
    JobsSchema.apply(database);
    jobs = Jobs.over(database);
    count = new JobCount(jobs, gauges);
  }

  @BeforeEach
  void bind() {
    gauges.bindTo(registry);
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void showJobsByQueueAndState() {
    enqueue("ann", Duration.ZERO);
    enqueue("bob", Duration.ZERO);
    enqueue("cem", Duration.ofHours(1));
    sql(
        "UPDATE once_job SET run_at = run_at - interval '1 h', enqueued_at = now() - interval '1 h'");

    count.count();

    assertThat(jobs("ready")).isEqualTo(2);
    assertThat(jobs("waiting")).isEqualTo(1);
    assertThat(jobs("dead")).isZero();
    assertThat(registry.get("once_jobs_oldest_age").tag("queue", "mail").gauge().value())
        .isBetween(3600.0, 3660.0);
  }

  @Test
  void showZeroForAQueueThatHasNoJobsAnyMore() {
    enqueue("ann", Duration.ZERO);
    count.count();
    sql("DELETE FROM once_job");

    count.count();

    assertThat(jobs("ready")).isZero();
  }

  @Test
  void showNothingWhenTheCountFailed() {
    enqueue("ann", Duration.ZERO);
    count.count();
    sql("ALTER TABLE once_job RENAME TO once_job_away");

    count.count();

    assertThat(jobs("ready")).isNaN();
  }

  private void enqueue(String name, Duration delay) {
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "welcome", name)).withDelay(delay));
  }

  private void sql(String sql) {
    JdbcClient.create(database).sql(sql).update();
  }

  private double jobs(String state) {
    return registry.get("once_jobs").tags("queue", "mail", "state", state).gauge().value();
  }
}
