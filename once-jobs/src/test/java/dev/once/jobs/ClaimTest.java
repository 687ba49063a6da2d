package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("claim");
  private static final Queue MAIL = Queue.named("mail");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void givesWhatWasEnqueued() {
    Headers ids = Headers.NONE.with("X-Request-ID", "r-1").with("X-Correlation-ID", "c-1");
    jobs.enqueue(TestJobs.job("acme", "user-42").withText("hello").withCorrelation(ids));

    ClaimedJob claimed = statements.claimOne("mail");

    assertThat(claimed.key()).isEqualTo(new JobKey("acme", "mail", "welcome", "user-42"));
    assertThat(claimed.payload().bytes()).asString().isEqualTo("hello");
    assertThat(claimed.correlation()).isEqualTo(ids);
    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  @Test
  void theAgeOfAJobCountsFromWhenItsTimeHadCome() {
    jobs.enqueue(TestJobs.job("acme", "user-42").withDelay(Duration.ofHours(1)));
    DATABASE.elapse(Duration.ofMinutes(61));
    statements.makeReady();

    assertThat(statements.claimOne("mail").age())
        .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
  }

  @Test
  void keepsTheIdsOfTheRequestWithTheKeyOfAFinishedJob() {
    Headers ids = Headers.NONE.with("X-Request-ID", "r-1");
    jobs.enqueue(TestJobs.job("acme", "user-42").withCorrelation(ids));

    statements.finish(statements.claimOne("mail"));

    assertThat(DATABASE.query("SELECT correlation FROM once_job_done"))
        .containsExactly(ids.toText());
  }

  @Test
  void takesTheOldestFirst() {
    enqueue("acme", 5);

    assertThat(JobStatements.resources(statements.claim(MAIL, 3))).containsExactly("0", "1", "2");
    assertThat(JobStatements.resources(statements.claim(MAIL, 3))).containsExactly("3", "4");
    assertThat(statements.claim(MAIL, 3)).isEmpty();
  }

  @Test
  void takesAHigherPriorityFirst() {
    enqueue("acme", 3);
    jobs.enqueue(TestJobs.job("acme", "urgent").withPriority(10));
    jobs.enqueue(TestJobs.job("acme", "whenever").withPriority(-10));

    assertThat(JobStatements.resources(statements.claim(MAIL, 5)))
        .containsExactly("urgent", "0", "1", "2", "whenever");
  }

  @Test
  void endsWithTheJobWhosePayloadReachesItsBytes() throws SQLException {
    for (int i = 0; i < 5; i++) {
      jobs.enqueue(TestJobs.job(Integer.toString(i)).withText("x".repeat(1000)));
    }
    jobs.enqueue(TestJobs.job("globex", "5").withText("x".repeat(1000)));

    assertThat(claimBytes(2500)).hasSize(3);
    assertThat(claimBytes(1)).hasSize(1);
    assertThat(claimBytes(Long.MAX_VALUE)).hasSize(2);
  }

  private List<ClaimedJob> claimBytes(long bytes) throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      return new ClaimStatement(MAIL, Set.of("welcome"))
          .execute(connection, "", 0, 10, bytes)
          .jobs();
    }
  }

  @Test
  void takesNothingFromOtherQueues() {
    jobs.enqueue(Job.of(new JobKey("acme", "search", "index", "1")));

    assertThat(statements.claim(MAIL, 5)).isEmpty();
  }

  @Test
  void leavesTypesAloneThatItHasNoHandlerFor() throws SQLException {
    enqueue("acme", 1);
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "goodbye", "1")));

    try (Connection connection = DATABASE.dataSource().getConnection()) {
      List<ClaimedJob> claimed =
          new ClaimStatement(MAIL, Set.of("goodbye"))
              .execute(connection, "", 0, 10, Long.MAX_VALUE)
              .jobs();

      assertThat(claimed).extracting(job -> job.key().type()).containsExactly("goodbye");
    }
  }

  @Test
  void givesEveryJobToOneOfManyConcurrentClaims() throws Exception {
    enqueue("acme", 500);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<List<ClaimedJob>>> claims =
          IntStream.range(0, 100)
              .<Callable<List<ClaimedJob>>>mapToObj(i -> this::claimTen)
              .toList();

      List<Long> ids = new ArrayList<>();
      for (Future<List<ClaimedJob>> answer : threads.invokeAll(claims)) {
        answer.get().forEach(job -> ids.add(job.id()));
      }

      assertThat(ids).doesNotHaveDuplicates();
      statements.claim(MAIL, 500).forEach(job -> ids.add(job.id()));
      assertThat(ids).hasSize(500).doesNotHaveDuplicates();
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void runsNoMoreOfAQueueThanItsConcurrencyAllows() {
    enqueue("acme", 10);
    Queue narrow = MAIL.withConcurrency(3);

    List<ClaimedJob> claimed = statements.claim(narrow, 10);
    assertThat(claimed).hasSize(3);
    assertThat(statements.claim(narrow, 10)).isEmpty();

    statements.finish(claimed.get(0));
    assertThat(statements.claim(narrow, 10)).hasSize(1);
  }

  @Test
  void runsNoMoreOfATenantThanItsConcurrencyAllows() {
    enqueue("acme", 10);
    enqueue("globex", 10);
    Queue narrow = MAIL.withTenantConcurrency(2);

    assertThat(statements.claim(narrow, 10))
        .extracting(job -> job.key().tenant())
        .containsExactlyInAnyOrder("acme", "acme", "globex", "globex");
    assertThat(statements.claim(narrow, 10)).isEmpty();
  }

  @Test
  void keepsToTheLimitWhenManyClaimAtOnce() throws Exception {
    enqueue("acme", 100);
    Queue narrow = MAIL.withConcurrency(5).withTenantConcurrency(4);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<List<ClaimedJob>>> claims =
          IntStream.range(0, 40)
              .<Callable<List<ClaimedJob>>>mapToObj(i -> () -> statements.claim(narrow, 3))
              .toList();
      int claimed = 0;
      for (Future<List<ClaimedJob>> answer : threads.invokeAll(claims)) {
        claimed += answer.get().size();
      }

      assertThat(claimed).isEqualTo(4);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void startsNoMoreThanItsRateAllows() {
    enqueue("acme", 10);
    enqueue("globex", 10);
    Queue limited = MAIL.withRate(4, Duration.ofMinutes(1));

    assertThat(statements.claim(limited, 3)).hasSize(3);
    assertThat(statements.claim(limited, 10)).hasSize(1);
    assertThat(statements.claim(limited, 10)).isEmpty();

    DATABASE.execute("UPDATE once_job_rate SET refilled_at = refilled_at - interval '31 seconds'");
    assertThat(statements.claim(limited, 10)).hasSize(2);
    DATABASE.execute("UPDATE once_job_rate SET refilled_at = refilled_at - interval '1 hour'");
    assertThat(statements.claim(limited, 10)).hasSize(4);
  }

  private List<ClaimedJob> claimTen() {
    return statements.claim(MAIL, 10);
  }

  private void enqueue(String tenant, int count) {
    jobs.enqueueAll(TestJobs.jobs(tenant, count));
  }
}
