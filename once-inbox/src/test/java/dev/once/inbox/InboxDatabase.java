package dev.once.inbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** A test's own database with the schema of an inbox, and a listener that records its events. */
final class InboxDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HikariDataSource pool;
  private final Jobs jobs;
  private final Once once;
  private final List<InboxEvent> heard = new ArrayList<>();

  InboxDatabase(String hint) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase(hint));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    InboxSchema.apply(pool);
    this.jobs = Jobs.over(pool);
    this.once = Once.over(JdbcRecordStore.over(pool));
    sql().execute("CREATE TABLE processed (item text, tenant text)");
  }

  Inbox inbox(Provider... providers) {
    Inbox.Builder builder = Inbox.builder(pool, jobs).listener(this::hear).clock(() -> Sent.NOW);
    for (Provider provider : providers) {
      builder.provider(provider);
    }
    return builder.build();
  }

  DataSource dataSource() {
    return pool;
  }

  Jobs jobs() {
    return jobs;
  }

  Once once() {
    return once;
  }

  Sql sql() {
    return new Sql(pool);
  }

  List<String> query(String sql) {
    return sql().query(sql);
  }

  synchronized <E extends InboxEvent> List<E> heard(Class<E> kind) {
    return heard.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private synchronized void hear(InboxEvent event) {
    heard.add(event);
    notifyAll();
  }

  /** Waits until no job is left; dead letters may stay. */
  void awaitIdle() throws InterruptedException {
    await("SELECT key FROM once_job WHERE state <> 'dead'", List::isEmpty);
  }

  /** Waits until {@code sql} finds a row. */
  void awaitRow(String sql) throws InterruptedException {
    await(sql, rows -> !rows.isEmpty());
  }

  private void await(String sql, Predicate<List<String>> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> rows = query(sql);
    while (!wanted.test(rows)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("after " + PATIENCE + ", " + sql + " still finds " + rows);
      }
      Thread.sleep(5);
      rows = query(sql);
    }
  }

  @Override
  public void close() {
    once.close();
    jobs.close();
    pool.close();
  }
}
