package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Reconciler;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.workflow.RunProblem;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import dev.once.workflow.SignalType;
import dev.once.workflow.WaitReason;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowContext;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/workflows.md. */
class WorkflowsTest {
  // snippet: definitions
  static final Workflow<@Nullable String, @Nullable String> FULFIL =
      Workflow.of("fulfil", 1, Codec.text(), Codec.text());
  static final SignalType<String> PAID = SignalType.of("paid", Codec.text());

  // end
  private final DataSource dataSource = EmbeddedPostgres.shared().newDatabase("workflows-guide");
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  // snippet: schema
  final Jobs jobs = jobs();

  Jobs jobs() {
    JobsSchema.apply(dataSource);
    WorkflowsSchema.apply(dataSource);
    return Jobs.over(dataSource);
  }

  // end
  private final Workflows workflows =
      // snippet: register
      Workflows.builder(jobs).register(FULFIL, (context, order) -> fulfil(context, order)).build();
  // end
  private final Workers workers =
      // snippet: workers
      workflows.addTo(Workers.over(jobs)).start();

  // end

  @AfterEach
  void close() {
    workers.close();
    workflows.close();
    jobs.close();
  }

  // snippet: steps
  WorkflowStep<@Nullable String> reserve(@Nullable String order) {
    return WorkflowStep.of("reserve", Codec.text()).compensatedBy(step -> release(order));
  }

  final Reconciler<@Nullable String> provider = this::askProvider;
  final WorkflowStep<@Nullable String> charge =
      WorkflowStep.<@Nullable String>of("charge", Codec.text())
          .withRetries(RetryPolicy.DEFAULT.withAttempts(10))
          .withDeadline(Duration.ofSeconds(30))
          .asking(provider);
  static final WorkflowStep<@Nullable String> SHIP = WorkflowStep.of("ship", Codec.text());

  // end

  // snippet: workflow
  @Nullable String fulfil(WorkflowContext context, @Nullable String order) {
    context.step(reserve(order), step -> reserveStock(order));
    Optional<String> payment = context.awaitSignal(PAID, Duration.ofDays(3));
    if (payment.isEmpty()) {
      throw new IllegalStateException("not paid in time"); // The stock is released.
    }
    context.step(charge, step -> charge(step.key().value(), step.fence()));
    context.sleep(Duration.ofMillis(10)); // A day's notice, say; no thread waits.
    return context.step(SHIP, step -> ship(order));
  }

  // end

  @Test
  void survivesAndContinues() throws Exception {
    RunId run = new RunId("acme", "order-42");
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      // snippet: start
      workflows.start(connection, FULFIL, run, "two chairs");
      connection.commit(); // The order and the run exist, or neither.
      jobs.wake("workflows");
      // end
    }
    until(run, it -> it.activations() > 0);
    // snippet: signal
    workflows.signal(run, PAID, "payment-7", "paid by card");
    // end
    RunView ended = until(run, it -> it.state().hasEnded());

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(done).containsExactly("reserved", "charged", "shipped");
  }

  @Test
  void undoesWhatWasDone() {
    RunId run = new RunId("acme", "order-43");
    workflows.start(FULFIL, run, "two chairs");
    until(run, it -> !workflows.runs().waits(run).isEmpty() && done.contains("reserved"));

    // snippet: operate
    for (WaitReason reason : workflows.runs().waits(run)) {
      System.out.println(reason.what() + reason.until().map(it -> " until " + it).orElse(""));
    }
    workflows.runs().cancel(run);
    // end

    assertThat(until(run, it -> it.state().hasEnded()).state()).isEqualTo(RunState.CANCELLED);
    assertThat(done).containsExactly("reserved", "released");
  }

  @Test
  void runsBranches() {
    // snippet: branches
    Workflow<@Nullable String, @Nullable String> quote =
        Workflow.of("quote", 1, Codec.text(), Codec.text());
    WorkflowStep<@Nullable String> ask = WorkflowStep.of("ask", Codec.text());
    Workflows quotes =
        Workflows.builder(jobs)
            .queue("quotes")
            .register(
                quote,
                (context, order) ->
                    context.any(
                        List.of(
                            branch -> branch.step(ask, step -> "the first carrier"),
                            branch -> branch.step(ask, step -> "the second carrier"))))
            .build();
    // end
    RunId run = new RunId("acme", "quote-1");

    try (Workers other = quotes.addTo(Workers.over(jobs)).start()) {
      quotes.start(quote, run, "two chairs");
      assertThat(other).isNotNull();
      assertThat(until(run, it -> it.state().hasEnded()).state()).isEqualTo(RunState.COMPLETED);
    } finally {
      quotes.close();
    }
  }

  @Test
  void checksBeforeADeploy() {
    // snippet: check
    List<RunProblem> problems = workflows.runs().check("acme", 10_000);
    // end
    assertThat(problems).isEmpty();
  }

  private RunView until(RunId run, Predicate<RunView> wanted) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      RunView view = workflows.runs().find(run).orElseThrow();
      if (wanted.test(view)) {
        return view;
      }
      assertThat(System.nanoTime() - end).as("still %s", view).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private @Nullable String reserveStock(@Nullable String order) {
    done.add("reserved");
    return order;
  }

  private @Nullable String release(@Nullable String order) {
    done.add("released");
    return order;
  }

  private @Nullable String charge(String key, long fence) {
    done.add("charged");
    return key + fence;
  }

  private EffectState<@Nullable String> askProvider(Execution step) {
    return done.contains("charged")
        ? EffectState.happened(step.key().value())
        : EffectState.didNotHappen();
  }

  private @Nullable String ship(@Nullable String order) {
    done.add("shipped");
    return order;
  }
}
