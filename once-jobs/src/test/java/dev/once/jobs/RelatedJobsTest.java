package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Sealing;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs that have to do with one key or id. */
class RelatedJobsTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("related");
  private static final PayloadProtection PROTECTION =
      new PayloadProtection(Sealing.NONE, UnaryOperator.identity());

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobAdmin admin = jobs.admin();
  private final DeadLetterFixture letters = new DeadLetterFixture(DATABASE, jobs);

  @Test
  void findsUnfinishedJobsAndDeadLettersByResourceAndCorrelationId() {
    long waiting = jobs.enqueue(TestJobs.job("order-1")).id();
    long delivery = jobs.enqueue(TestJobs.job("shop/order-1")).id();
    long dead = letters.deadLetter("acme", "search", "other");
    jobs.enqueue(TestJobs.job("order-10"));
    jobs.enqueue(TestJobs.job("zeta", "order-1"));

    assertThat(ids(RelatedQuery.of("acme", "order-1"))).containsExactly(waiting, delivery);
    assertThat(ids(RelatedQuery.of("acme", "r-other"))).containsExactly(dead);
    assertThat(ids(RelatedQuery.of("acme", "r-oth"))).isEmpty();
    assertThat(ids(RelatedQuery.of("acme", "%"))).isEmpty();
  }

  @Test
  void findsFinishedJobs() {
    long first = letters.deadLetter("acme", "mail", "order-1");
    long other = letters.deadLetter("zeta", "mail", "order-1");
    jobs.deadLetters().discard("acme", List.of(first), "ann");
    jobs.deadLetters().discard("zeta", List.of(other), "ann");
    RelatedQuery query = RelatedQuery.of("acme", "order-1");

    assertThat(ids(query)).isEmpty();
    assertThat(admin.related(query.finished()).jobs())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.id()).isEqualTo(first);
              assertThat(it.state()).isEqualTo(JobState.DONE);
              assertThat(it.discarded()).isTrue();
              assertThat(it.key().resource()).isEqualTo("order-1");
              assertThat(it.finishedAt()).isPresent();
            });
    assertThat(ids(RelatedQuery.of("acme", "r-order-1").finished())).containsExactly(first);
  }

  @Test
  void aPageReadsABoundedNumberOfJobsAndSaysHowFar() throws SQLException {
    for (int i = 0; i < 20; i++) {
      jobs.enqueue(TestJobs.job("other-%02d/x".formatted(i)));
    }
    long wanted = jobs.enqueue(TestJobs.job("wanted")).id();
    long inLastQueue = jobs.enqueue(Job.of(new JobKey("acme", "zips", "send", "wanted"))).id();
    List<Long> found = new ArrayList<>();
    int searched = 0;
    Optional<String> next = Optional.empty();
    try (Connection connection = DATABASE.direct().getConnection()) {
      RelatedQuery query = RelatedQuery.of("acme", "wanted");
      do {
        RelatedJobs page = page(connection, next.map(query::after).orElse(query), 6);
        page.jobs().forEach(it -> found.add(it.id()));
        searched += page.searched();
        assertThat(page.searched()).isLessThanOrEqualTo(6);
        next = page.next();
      } while (next.isPresent());
    }

    assertThat(found).containsExactly(wanted, inLastQueue);
    assertThat(searched).isEqualTo(22);
  }

  @Test
  void aPageReadsItsRowsByTheIndexOfKeys() throws SQLException {
    DATABASE.execute(
        """
        INSERT INTO once_job_done (part, tenant, queue, key, fingerprint, job, attempt, discarded,
          correlation, finished_at, keep_until)
        SELECT n %% 4, 'acme', 'mail', 'welcome:' || n, '', n, 1, false, '', now(), now()
        FROM generate_series(1, %1$d) n
        """
            .formatted(30_000));
    DATABASE.execute("ANALYZE once_job_done");
    try (Connection connection = DATABASE.direct().getConnection()) {
      connection.setAutoCommit(false);
      RelatedQuery query = RelatedQuery.of("acme", "wanted").finished();
      RelatedJobs first = page(connection, query, 100);
      RelatedJobs second = page(connection, query.after(first.next().orElseThrow()), 100);

      assertThat(second.searched()).isEqualTo(100);
      String sql =
          "SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::bigint FROM"
              + " pg_stat_xact_user_tables WHERE relname LIKE 'once\\_job\\_done\\_%'";
      assertThat(Long.parseLong(Sql.query(connection, sql).get(0))).isLessThan(1_000);
    }
  }

  @Test
  void leavesOutARowThatCannotBeRead() {
    long good = jobs.enqueue(TestJobs.job("order-1")).id();
    long bad = jobs.enqueue(TestJobs.job("shop/order-1")).id();
    DATABASE.execute("UPDATE once_job SET state = 'lost' WHERE id = " + bad);

    assertThat(ids(RelatedQuery.of("acme", "order-1"))).containsExactly(good);
    assertThat(events.all(JobEvent.Trouble.class)).hasSize(1);
  }

  @Test
  void refusesACursorOfItsOwnMaking() {
    assertThatThrownBy(() -> RelatedQuery.of("acme", "a").after("nonsense"))
        .hasMessage("after must be next of the page before");
  }

  @ParameterizedTest
  @CsvSource({
    "order-1, true",
    "shop/order-1, true",
    "order-1@5f, true",
    "a/order-1/order-1x, true",
    "order-10/order-1, true",
    "order-10, false",
    "xorder-1, false",
    "x-order-1, false"
  })
  void aPartIsWhatStandsBetweenSeparators(String resource, boolean hasPart) {
    assertThat(RelatedJobsStatement.hasPart(resource, "order-1")).isEqualTo(hasPart);
  }

  private RelatedJobs page(Connection connection, RelatedQuery query, int maxRows)
      throws SQLException {
    return RelatedJobsStatement.execute(connection, query, maxRows, PROTECTION, JobListener.NONE);
  }

  private List<Long> ids(RelatedQuery query) {
    return admin.related(query).jobs().stream().map(JobView::id).toList();
  }
}
