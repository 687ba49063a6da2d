package dev.once.webhooks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.Sealing;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import dev.once.jobs.JobView;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A sender with a database of its own. */
final class WebhookDatabase implements AutoCloseable {
  static final String TENANT = "acme";
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** Calls servers of tests. */
  static final WebhookHttp LOCAL =
      WebhookHttp.DEFAULT
          .withPlainHttp()
          .withAddresses(InetAddress::isLoopbackAddress)
          .withTimeout(Duration.ofSeconds(5));

  /** Retries at once, and for as long as a test needs. */
  static final RetryPolicy FAST =
      RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(20), Duration.ofMillis(100));

  private final PGSimpleDataSource direct;
  private final HikariDataSource pool;
  private final Jobs jobs;
  private final Once once;
  private final List<WebhookEvent> events = new ArrayList<>();

  WebhookDatabase(String hint) {
    this(hint, EmbeddedPostgres.shared());
  }

  WebhookDatabase(String hint, EmbeddedPostgres server) {
    this.direct = server.newDatabase(hint);
    JdbcSchema.apply(direct);
    JobsSchema.apply(direct);
    WebhooksSchema.apply(direct);
    this.pool = pool(direct);
    this.jobs = Jobs.over(pool);
    this.once = Once.over(JdbcRecordStore.over(pool));
  }

  static HikariDataSource pool(DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** Returns a builder of a sender to local servers, which reports to this object. */
  WebhookSender.Builder sender() {
    return sender(jobs);
  }

  WebhookSender.Builder sender(Jobs others) {
    return WebhookSender.builder(pool, others).http(LOCAL).retries(FAST).listener(this::hear);
  }

  Workers start(WebhookSender sender) {
    return start(sender, jobs);
  }

  Workers start(WebhookSender sender, Jobs others) {
    return sender.deliver(Workers.over(others).pollInterval(Duration.ofMillis(50)), once).start();
  }

  Jobs sealed(Sealing sealing) {
    return Jobs.builder(pool).sealing(sealing).build();
  }

  PGSimpleDataSource direct() {
    return direct;
  }

  HikariDataSource pool() {
    return pool;
  }

  Jobs jobs() {
    return jobs;
  }

  Sql sql() {
    return new Sql(pool);
  }

  Optional<JobView> job(String endpoint, String message) {
    JobKey key = new MessageKey(TENANT, endpoint, message).toJobKey();
    return jobs.find(key);
  }

  JobView awaitState(String endpoint, String message, JobState state) {
    return Polling.until(
            () -> job(endpoint, message), it -> it.map(JobView::state).equals(Optional.of(state)))
        .orElseThrow();
  }

  /** Waits until a message waits for its endpoint to be called again. */
  JobView awaitSnoozed(String endpoint, String message) {
    return Polling.until(
            () -> job(endpoint, message),
            it ->
                it.filter(job -> job.state() == JobState.WAITING)
                    .flatMap(JobView::runAt)
                    .filter(Instant.now().plusSeconds(9 * 60)::isBefore)
                    .isPresent())
        .orElseThrow();
  }

  /** Waits until an attempt has failed for the reason. */
  JobView awaitWaiting(String endpoint, String message, String reason) {
    return Polling.until(
            () -> job(endpoint, message),
            it ->
                it.isPresent()
                    && it.get().state() == JobState.WAITING
                    && it.get().reason().orElse("").contains(reason))
        .orElseThrow();
  }

  /** Waits until no message is left; dead letters may stay. */
  void awaitIdle() {
    String left =
        """
        SELECT key || ' ' || state FROM once_job
        WHERE queue = 'webhooks' AND state <> 'dead'
        """;
    Polling.until(() -> sql().query(left), List::isEmpty);
  }

  /** Makes an endpoint fail for longer. */
  void failLonger(Duration time) {
    sql()
        .execute(
            "UPDATE once_webhook_endpoint SET failing_since = failing_since - interval '%d seconds'"
                .formatted(time.toSeconds()));
  }

  synchronized <E extends WebhookEvent> List<E> heard(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private synchronized void hear(WebhookEvent event) {
    events.add(event);
  }

  @Override
  public void close() {
    once.close();
    jobs.close();
    pool.close();
  }
}
