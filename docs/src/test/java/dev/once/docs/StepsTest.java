package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.NoAnswerException;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Result;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.steps.RunHistory;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.StepView;
import dev.once.steps.Steps;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/steps.md. */
class StepsTest {
  private final DataSource dataSource = newDatabase();
  private final JdbcRecordStore store = JdbcRecordStore.over(dataSource);
  private final Once once = Once.over(store);
  private final Steps steps = Steps.over(once);
  private final List<String> done = new ArrayList<>();
  private boolean crashes = true;

  // snippet: definitions
  static final Step<@Nullable String> RESERVE = Step.of("reserve", Codec.text());
  static final Step<@Nullable String> NOTIFY = Step.of("notify", Codec.text());
  // end
  // snippet: asking
  final Reconciler<@Nullable String> provider = this::askProvider;
  final Step<@Nullable String> charge = Step.of("charge", Codec.text()).asking(provider);

  // end

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void goesOnAfterTheLastStepThatIsDone() {
    RunId run = new RunId("acme", "order-42");
    try {
      fulfil(run, "{\"order\": 42}");
    } catch (IllegalStateException e) {
      assertThat(done).containsExactly("reserve", "charge");
    }

    assertThat(fulfil(run, "{\"order\": 42}")).isEqualTo("notified");
    assertThat(done).containsExactly("reserve", "charge", "notify");
  }

  // snippet: workflow
  @Nullable String fulfil(RunId run, String order) {
    steps.run(run, RESERVE, order, execution -> reserve()).orThrow();
    steps.run(run, charge, order, execution -> charge(execution.fence())).orThrow();
    crashHere();
    return steps.run(run, NOTIFY, order, execution -> mail()).orThrow();
  }

  // end

  @Test
  void showsHowFarARunCame() {
    RunId run = new RunId("acme", "order-43");
    steps.run(run, RESERVE, "{\"item\": \"chair\"}", execution -> "reserved");
    steps.run(run, RESERVE, "{\"item\": \"table\"}", execution -> "reserved");
    // snippet: history
    for (StepView step : RunHistory.over(store).steps(run)) {
      System.out.println(
          step.name() + " " + step.state() + (step.inputChanged() ? ", input changed" : ""));
    }
    // end

    assertThat(RunHistory.over(store).steps(run))
        .extracting(StepView::inputChanged)
        .containsExactly(false, true);
  }

  @Test
  void comesBackLaterWhileAnotherProcessExecutesAStep() {
    RunId run = new RunId("acme", "order-44");
    List<String> told = new ArrayList<>();
    steps.run(
        run,
        RESERVE,
        "{}",
        execution -> {
          told.add(tryReserve(run));
          return "reserved";
        });

    assertThat(told).containsExactly("requeue");
    assertThat(done).isEmpty();
  }

  private String tryReserve(RunId run) {
    // snippet: held
    try {
      return "reserved: " + steps.run(run, RESERVE, "{}", execution -> reserve()).orThrow();
    } catch (NoAnswerException e) {
      if (e.result() instanceof Result.Held<?>) {
        return "requeue"; // Nothing was done here; Held has the rest of the owner's lease.
      }
      throw e;
    }
    // end
  }

  @Test
  void writesItsResultInTheCallersTransaction() throws SQLException {
    RunId run = new RunId("acme", "order-45");
    // snippet: transaction
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      steps
          .joining(store.within(connection))
          .run(run, RESERVE, "{\"order\": 45}", execution -> reserve());
      connection.commit(); // The stock is reserved and the step is done, or neither.
    }
    // end

    assertThat(RunHistory.over(store).steps(run)).hasSize(1);
  }

  private String reserve() {
    done.add("reserve");
    return "reserved";
  }

  private String charge(long fence) {
    assertThat(fence).isPositive();
    done.add("charge");
    return "charged";
  }

  private String mail() {
    done.add("notify");
    return "notified";
  }

  private void crashHere() {
    if (crashes) {
      crashes = false;
      throw new IllegalStateException("crashed");
    }
  }

  private EffectState<@Nullable String> askProvider(Execution execution) {
    return done.contains("charge") ? EffectState.happened("charged") : EffectState.didNotHappen();
  }

  private static DataSource newDatabase() {
    DataSource database = EmbeddedPostgres.shared().newDatabase("docs_steps");
    JdbcSchema.apply(database);
    return database;
  }
}
