package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.ChaosCampaign;
import dev.once.testkit.ChaosFault;
import dev.once.testkit.ChaosReport;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Callers are interrupted, connections are ended, the server is stopped and continued, operators
 * keep transactions open, and records are purged, all at once. For half an hour of it: {@code mvn
 * test -pl once-jdbc -am -Dtest=PostgresChaosTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Donce.chaos.seconds=1800}.
 */
@Isolated // It needs the processors.
class PostgresChaosTest {
  private static final int SECONDS = 15;

  /** An outage and killed connections may follow each other. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final String APPLICATION = "once-chaos";

  private final EmbeddedPostgres server = EmbeddedPostgres.builder().start();
  private final PGSimpleDataSource database = server.newDatabase("chaos");
  private final HikariDataSource pool = pool();
  private final HikariDataSource otherPool = pool();

  @AfterEach
  void stop() {
    pool.close();
    otherPool.close();
    server.close();
  }

  @Test
  void keepsEveryPromiseWhileEverythingGoesWrong() throws Exception {
    JdbcSchema.apply(pool);

    ChaosReport report =
        ChaosCampaign.over(JdbcRecordStore.over(pool), JdbcRecordStore.over(otherPool))
            .seconds(SECONDS)
            .lease(LEASE)
            .fault(ChaosFault.outage("stops", this::stopForAWhile))
            .fault(ChaosFault.disturbance("kills", this::endConnections))
            .fault(ChaosFault.disturbance("openTransactions", this::keepATransactionOpen))
            .run();

    assertThat(report.violations()).isEmpty();
    assertThat(report.count("executed")).isPositive();
    assertThat(report.count("verified")).isPositive();
    assertThat(report.count("purged")).isPositive();
    assertThat(report.count("stops")).isPositive();
    assertThat(report.count("kills")).isPositive();
    assertThat(report.count("openTransactions")).isPositive();
  }

  private void stopForAWhile(SplittableRandom random) throws InterruptedException {
    server.pause();
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(50, 800));
    } finally {
      server.resume();
    }
  }

  private void endConnections(SplittableRandom random) {
    new Sql(database)
        .query(
            """
            SELECT pg_terminate_backend(pid) FROM (
              SELECT pid FROM pg_stat_activity WHERE application_name = '%s'
              ORDER BY random() LIMIT %d) AS chosen
            """
                .formatted(APPLICATION, random.nextInt(1, 4)));
  }

  private void keepATransactionOpen(SplittableRandom random) throws Exception {
    String some = "SELECT ctid FROM once_record ORDER BY random() LIMIT " + random.nextInt(1, 6);
    List<String> ways =
        List.of(
            "SELECT FROM once_record WHERE ctid IN (%s) FOR UPDATE",
            "UPDATE once_record SET correlation = correlation WHERE ctid IN (%s)",
            "DELETE FROM once_record WHERE expires_at < clock_timestamp() AND ctid IN (%s)");
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Sql.execute(connection, ways.get(random.nextInt(ways.size())).formatted(some));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(50, 1000));
      connection.rollback();
    }
  }

  private HikariDataSource pool() {
    PGSimpleDataSource source = server.dataSource(String.valueOf(database.getDatabaseName()));
    source.setApplicationName(APPLICATION);
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(12);
    return new HikariDataSource(config);
  }
}
