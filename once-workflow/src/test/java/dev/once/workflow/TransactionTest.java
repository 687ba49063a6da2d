package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.jobs.Jobs;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransactionTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-transaction");

  private static final Workflow<@Nullable String, @Nullable String> BOOK =
      Workflow.of("book", 1, Codec.text(), Codec.text());
  private static final WorkflowStep<@Nullable String> WRITE =
      WorkflowStep.<@Nullable String>of("write", Codec.text())
          .withRetries(RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5)));
  private static final RunId RUN = new RunId("acme", "order-1");

  private static void write(Connection connection, String name) throws SQLException {
    Sql.execute(connection, "INSERT INTO effect (name) VALUES ('" + name + "')");
  }

  @Test
  void whatAFailedAttemptWroteIsRolledBack() {
    AtomicInteger attempts = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, order) ->
                        context.transaction(
                            WRITE,
                            (connection, execution) -> {
                              write(connection, "attempt " + execution.attempt());
                              if (attempts.incrementAndGet() < 3) {
                                throw new IllegalStateException("not yet");
                              }
                              return "written";
                            })));

    workflows.start(BOOK, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("attempt 3");
  }

  @Test
  void whatIsCommittedAtTheDeadlineIsNotWrittenAgain() throws Exception {
    AtomicBoolean isCut = new AtomicBoolean();
    try (Jobs jobs = Jobs.over(losingAnswers(isCut));
        Workflows workflows =
            Workflows.builder(jobs)
                .register(
                    BOOK,
                    (context, order) ->
                        context.transaction(
                            WRITE.withDeadline(Duration.ofMillis(200)),
                            (connection, execution) -> {
                              write(connection, "charge");
                              isCut.set(execution.attempt() == 1);
                              return "written";
                            }))
                .build();
        Workers workers = workflows.addTo(Workers.over(jobs)).drain(Duration.ZERO).start()) {
      assertThat(workers).isNotNull();

      workflows.start(BOOK, RUN, "boots");

      assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    }
    assertThat(DATABASE.effects()).containsExactly("charge");
  }

  /** A source that loses the answer to the next commit while {@code isCut}. */
  private static DataSource losingAnswers(AtomicBoolean isCut) {
    return intercepted(
        DataSource.class,
        DATABASE.pool(),
        (call, answer) ->
            answer instanceof Connection it
                ? intercepted(Connection.class, it, (name, result) -> lose(name, result, isCut))
                : answer);
  }

  private static @Nullable Object lose(String call, @Nullable Object answer, AtomicBoolean isCut)
      throws SQLException {
    if (call.equals("commit") && isCut.compareAndSet(true, false)) {
      Polling.until(Thread.currentThread()::isInterrupted, it -> it);
      throw new SQLException("the connection is lost", "08006");
    }
    return answer;
  }

  /** Gets what a call returned, and returns what its caller gets. */
  private interface After {
    @Nullable Object call(String name, @Nullable Object answer) throws SQLException;
  }

  private static <T> T intercepted(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            TransactionTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return after.call(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  void anActivationThatLostItsRunCommitsNothing() {
    AtomicInteger attempts = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, order) ->
                        context.transaction(
                            WRITE,
                            (connection, execution) -> {
                              int attempt = attempts.incrementAndGet();
                              write(connection, "activation " + attempt);
                              if (attempt == 1) {
                                DATABASE.execute(
                                    "UPDATE once_workflow_run SET fence = fence + 1, owner_job = NULL");
                              }
                              return "written";
                            })));
    workflows.start(BOOK, RUN, "boots");
    DATABASE.awaitSuspended(RUN); // Its first activation has no run any more.

    workflows.runs().resume(RUN);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("activation 2");
  }
}
