package dev.once.steps;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Terms;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.testkit.Program;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of three steps: reserve in the caller's transaction, charge and notify outside of it.
 * It reports every point that it reaches, and as a program it stops at one of them until it is
 * killed.
 */
final class CrashingWorkflow {
  static final RunId RUN = new RunId("acme", "order-42");

  private static final Terms TERMS =
      Terms.DEFAULT.withLease(Duration.ofSeconds(20)).withMaxWait(Duration.ofSeconds(60));

  private final DataSource database;
  private final Sql outside;
  private final Consumer<String> reached;

  CrashingWorkflow(DataSource database, Consumer<String> reached) {
    this.database = database;
    this.outside = new Sql(database);
    this.reached = reached;
  }

  public static void main(String[] args) throws Exception {
    String end = Program.rest(args).get(0);
    new CrashingWorkflow(Program.database(args), point -> stopAt(point, end)).run();
  }

  private static void stopAt(String point, String end) {
    if (point.equals(end)) {
      System.out.println(point);
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** Returns the value of the last step. */
  String run() throws SQLException {
    JdbcRecordStore store = JdbcRecordStore.over(database);
    try (Once once = Once.over(store, this::report)) {
      Steps steps = Steps.over(once);
      String reserved;
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        reserved = reserve(steps.joining(store.within(connection)), connection);
        reached.accept("reserve before commit");
        connection.commit();
      }
      reached.accept("reserve after commit");
      String charged = outside(steps, "charge", reserved);
      return outside(steps, "notify", charged);
    }
  }

  private static String reserve(StepRunner steps, Connection connection) throws SQLException {
    return String.valueOf(
        steps
            .run(
                RUN,
                Step.of("reserve", Codec.text()).withTerms(TERMS),
                "{\"order\": 42}",
                execution -> {
                  Sql.execute(connection, "INSERT INTO effect VALUES ('reserve')");
                  return "reserved";
                })
            .orThrow());
  }

  private String outside(Steps steps, String name, String input) throws SQLException {
    Step<@Nullable String> step =
        Step.of(name, Codec.text()).withTerms(TERMS).asking(new EffectReconciler(outside, name));
    String value =
        String.valueOf(steps.run(RUN, step, "\"" + input + "\"", execution -> act(name)).orThrow());
    reached.accept(name + " after completion");
    return value;
  }

  /** Returns the number of effects that is expected; the reconciler returns the actual number. */
  private String act(String name) {
    reached.accept(name + " before effect");
    outside.execute("INSERT INTO effect VALUES ('" + name + "')");
    reached.accept(name + " after effect");
    return name + " 1";
  }

  private void report(EngineEvent event) {
    if (event instanceof EngineEvent.Granted) {
      reached.accept(StepKey.parse(event.key().value()).name() + " after claim");
    }
  }

  /** Checks whether the effect happened. */
  private record EffectReconciler(Sql outside, String name)
      implements Reconciler<@Nullable String> {
    @Override
    public EffectState<@Nullable String> reconcile(Execution execution) {
      List<String> done = outside.query("SELECT name FROM effect WHERE name = '" + name + "'");
      return done.isEmpty()
          ? EffectState.didNotHappen()
          : EffectState.happened(name + " " + done.size());
    }
  }
}
