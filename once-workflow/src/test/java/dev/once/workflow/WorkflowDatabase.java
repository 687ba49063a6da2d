package dev.once.workflow;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database of a test class's own, with the tables of jobs and workflows. As an extension it
 * closes what a test started and empties the tables after each test.
 */
final class WorkflowDatabase implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  static final String QUEUE = "workflows";

  private final DataSource direct;
  private final HikariDataSource pool;
  private final Jobs jobs;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  WorkflowDatabase(String hint) {
    this.direct = EmbeddedPostgres.shared().newDatabase(hint);
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setMaximumPoolSize(24);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    JobsSchema.apply(pool);
    WorkflowsSchema.apply(pool);
    execute("CREATE TABLE effect (place bigserial, name text)");
    this.jobs = Jobs.over(pool);
  }

  DataSource direct() {
    return direct;
  }

  HikariDataSource pool() {
    return pool;
  }

  Jobs jobs() {
    return jobs;
  }

  /** Returns workflows, without workers. */
  Workflows workflows(UnaryOperator<Workflows.Builder> registrations) {
    Workflows workflows = registrations.apply(Workflows.builder(jobs)).build();
    started.push(workflows);
    return workflows;
  }

  /** Returns workflows whose runs are continued by workers of this process. */
  Workflows running(UnaryOperator<Workflows.Builder> registrations) {
    Workflows workflows = workflows(registrations);
    work(workflows);
    return workflows;
  }

  Workers work(Workflows workflows) {
    Workers workers =
        workflows
            .addTo(Workers.over(jobs))
            .queue(Queue.named(QUEUE).withSlots(16).withLease(Duration.ofSeconds(5)))
            .drain(Duration.ofSeconds(5))
            .start();
    started.push(workers);
    return workers;
  }

  void effect(String name) {
    execute("INSERT INTO effect (name) VALUES ('" + name + "')");
  }

  /** Returns the effects in their order. */
  List<String> effects() {
    return query("SELECT name FROM effect ORDER BY place");
  }

  static RunView ended(Workflows workflows, RunId run) {
    return Polling.until(
        () -> workflows.runs().find(run).orElseThrow(), it -> it.state().hasEnded());
  }

  /** Waits until a run waits: no activation owns it. */
  void awaitSuspended(RunId run) {
    Polling.until(
        () ->
            query(
                "SELECT owner_job IS NULL AND activations > 0 FROM once_workflow_run WHERE run = '"
                    + run.value()
                    + "'"),
        it -> it.equals(List.of("t")));
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  List<String> query(String sql) {
    return new Sql(pool).query(sql);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    execute(
        """
        TRUNCATE once_job, once_job_done, once_job_audit, once_workflow_run, once_workflow_entry,
          once_workflow_signal, effect
        """);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    stop();
  }

  /** Closes workers and workflows. */
  void stop() throws Exception {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    jobs.close();
    pool.close();
  }
}
