package dev.once.jdbc;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Key;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.testkit.Program;
import dev.once.testkit.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A program that charges a customer and dies at a given moment, as if by kill -9. */
final class CrashingCharge {
  static final Duration LEASE = Duration.ofMinutes(5);

  /** When the process dies. */
  enum Moment {
    AFTER_CLAIM,
    AFTER_EFFECT,
    BEFORE_COMPLETE,
    AFTER_COMPLETE
  }

  private CrashingCharge() {}

  public static void main(String[] args) throws Exception {
    DataSource database = Program.database(args);
    Moment death = Moment.valueOf(Program.rest(args).get(0));
    run(
        database,
        Recovery.valueOf(Program.rest(args).get(1)),
        execution -> EffectState.unknown(),
        step -> {
          if (step == death) {
            // No finally block, no shutdown hook, no closing of connections: like kill -9.
            Runtime.getRuntime().halt(Program.KILLED);
          }
        });
  }

  static Result<@Nullable String> run(
      DataSource database,
      Recovery recovery,
      Reconciler<@Nullable String> reconciler,
      Consumer<Moment> reached)
      throws SQLException {
    Request<@Nullable String> charge =
        Request.of(new Key("acme", "payments", "order-42"), CodecThatTells.when(reached))
            .withTerms(Terms.DEFAULT.withRecovery(recovery).withLease(LEASE))
            .withReconciler(reconciler);
    try (Once once =
        Once.over(
            JdbcRecordStore.over(database),
            event -> {
              if (event instanceof EngineEvent.Granted) {
                reached.accept(Moment.AFTER_CLAIM);
              } else if (event instanceof EngineEvent.Completed) {
                reached.accept(Moment.AFTER_COMPLETE);
              }
            })) {
      return once.run(charge, execution -> charge(database, execution, reached));
    }
  }

  private static String charge(DataSource database, Execution execution, Consumer<Moment> reached)
      throws SQLException {
    try (Connection provider = database.getConnection()) {
      Sql.execute(provider, "INSERT INTO charged VALUES (" + execution.fence() + ")");
    }
    reached.accept(Moment.AFTER_EFFECT);
    return "receipt";
  }

  /** The engine encodes the value right before it sends the completion. */
  private static final class CodecThatTells {
    static Codec<@Nullable String> when(Consumer<Moment> reached) {
      return Codec.of(
          text -> {
            reached.accept(Moment.BEFORE_COMPLETE);
            return text.getBytes(StandardCharsets.UTF_8);
          },
          bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
