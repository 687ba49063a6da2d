package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The last members of a batch finish at the same time, and others are added meanwhile. */
class BatchRaceTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("batchrace");
  private static final Queue MAIL = Queue.named("mail");
  private static final JobBatch BATCH = JobBatch.of(TestJobs.job("join"));
  private static final int THREADS = 8;

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void ofTwoLastMembersThatSeeEachOtherTheLaterOneClosesTheBatch() throws SQLException {
    long batch = jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(2))).batch();
    List<ClaimedJob> members = statements.claim(MAIL, 2);
    try (Connection one = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      complete(one, members.get(0));
      complete(two, members.get(1));
      one.commit();
      close(batch);
      assertThat(statements.states()).containsExactly("welcome:1 running", "welcome:join blocked");
      two.commit();
    }

    close(batch);

    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void theJoinBecomesReadyOnceHoweverManyMembersEndTogether() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (int round = 0; round < 20; round++) {
      JobBatch batch = JobBatch.of(TestJobs.job("join-" + round));
      long id = jobs.batches().enqueue(batch.withJobs(members(round))).batch();
      List<ClaimedJob> members = statements.claim(MAIL, THREADS);
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<?>> ends = new ArrayList<>();
      for (ClaimedJob member : members) {
        ends.add(
            threads.submit(
                () -> {
                  start.await();
                  statements.finish(member);
                  close(id);
                  return true;
                }));
      }
      for (Future<?> end : ends) {
        end.get(30, TimeUnit.SECONDS);
      }

      List<ClaimedJob> join = statements.claim(MAIL, 10);
      assertThat(JobStatements.resources(join)).containsExactly("join-" + round);
      close(id);
      assertThat(statements.claim(MAIL, 10)).isEmpty();
      statements.finishAll(join);
    }
    threads.shutdown();
  }

  @Test
  void aTransactionThatAddsMembersKeepsTheBatchOpen() throws SQLException {
    long batch = jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    ClaimedJob first = statements.claimOne("mail");
    try (Connection adding = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.batches().add(adding, batch, List.of(TestJobs.job("late")));
      statements.finish(first);

      close(batch); // Does not wait for the transaction.

      adding.commit();
    }
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:join blocked", "welcome:late ready");
    statements.finish(statements.claimOne("mail"));
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void twoTransactionsAddMembersAtTheSameTime() throws SQLException {
    long batch = jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    try (Connection one = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      Sql.execute(two, "SET lock_timeout = '5s'");
      jobs.batches().add(one, batch, List.of(TestJobs.job("a")));
      jobs.batches().add(two, batch, List.of(TestJobs.job("b")));
      two.commit();
      one.rollback();
    }

    assertThat(jobs.batches().progress("acme", batch).orElseThrow().members()).isEqualTo(2);
  }

  @Test
  void aMemberIsNotAddedToABatchThatIsBeingClosed() throws Exception {
    long batch = jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    statements.finish(statements.claimOne("mail"));
    try (Connection closing = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      CloseBatchesStatement.execute(closing, List.of(batch));
      CompletableFuture<List<EnqueueResult>> late =
          CompletableFuture.supplyAsync(
              () -> jobs.batches().add(batch, List.of(TestJobs.job("late"))));
      statements.awaitBlockedBackend();
      closing.commit();

      assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(JobBatchException.class);
    }
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void theSameBatchFromTwoCallersIsOne() throws Exception {
    try (Connection first = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      BatchResult one = jobs.batches().enqueue(first, BATCH.withJobs(TestJobs.jobs(3)));
      CompletableFuture<BatchResult> two =
          CompletableFuture.supplyAsync(
              () -> jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(3))));
      statements.awaitBlockedBackend();
      first.commit();

      assertThat(two.get(30, TimeUnit.SECONDS).batch()).isEqualTo(one.batch());
    }
    assertThat(statements.states())
        .containsExactly(
            "welcome:0 ready", "welcome:1 ready", "welcome:2 ready", "welcome:join blocked");
  }

  @Test
  void aTransactionThatCannotSeeFinishedKeysEnqueuesABatchToo() throws SQLException {
    jobs.enqueue(TestJobs.job("0"));
    statements.finish(statements.claimOne("mail"));
    long batch;
    try (Connection blind = DATABASE.begin(Connection.TRANSACTION_SERIALIZABLE)) {
      batch = jobs.batches().enqueue(blind, BATCH.withJobs(TestJobs.jobs(2))).batch();
      blind.commit();
    }

    statements.makeReady();
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:1 ready", "welcome:join blocked");
    statements.finish(statements.claimOne("mail"));
    close(batch);
    statements.makeReady();
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  private static List<Job> members(int round) {
    return TestJobs.jobs(THREADS).stream()
        .map(it -> TestJobs.job(round + "-" + it.key().resource()))
        .toList();
  }

  private static void complete(Connection connection, ClaimedJob job) throws SQLException {
    CompleteStatement.execute(connection, List.of(job), JobStatements.RETENTION);
  }

  private void close(long batch) {
    jobs.batchCloser().close(Set.of(batch));
  }
}
