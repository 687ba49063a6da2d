package dev.once.bench;

import static java.util.Objects.requireNonNull;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.bench.IdempotentReceiver.Effect;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Once as applications use it: {@code Once.run}, with its heartbeat and its codec. */
record OnceRun(String scope, Terms terms, Engine engine) {
  interface Engine {
    Result<@Nullable String> run(
        Request<@Nullable String> request, dev.once.Effect<@Nullable String, Exception> effect)
        throws Exception;
  }

  static Contestant<IdempotentReceiver> alone(Once once, BenchDatabase database, Duration lease) {
    OnceRun run =
        new OnceRun(
            "engine",
            Sample.TERMS.withLease(lease),
            (request, effect) -> once.run(request, effect));
    return run.contestant(
        "Once.run",
        "2 commits; taken over when the lease ends; result replayed",
        "decides, checks the fingerprint, returns the decoded result",
        database);
  }

  /** Commits claim, the caller's own writes and outcome together. */
  static Contestant<IdempotentReceiver> inTransaction(Once once, BenchDatabase database) {
    JdbcRecordStore store = JdbcRecordStore.over(database.pool());
    OnceRun run =
        new OnceRun(
            "transaction",
            Sample.TERMS,
            (request, effect) -> {
              try (Connection connection = database.pool().getConnection()) {
                connection.setAutoCommit(false); // The pool resets it.
                Result<@Nullable String> result =
                    once.joining(store.within(connection)).run(request, effect);
                connection.commit();
                return result;
              }
            });
    return run.contestant(
        "Once.run, caller's transaction",
        "1 commit; rolled back with the caller's writes; result replayed",
        "the same in a transaction with a savepoint",
        database);
  }

  private Contestant<IdempotentReceiver> contestant(
      String name, String note, String replayNote, BenchDatabase database) {
    Callable<Long> done = () -> database.completed("scope = '%s'".formatted(scope));
    return new Contestant<>(
        name, note, IdempotentReceiver.of(this::call, done).replaying(replayNote));
  }

  private Reply call(String key, Effect effect) throws Exception {
    Request<@Nullable String> request =
        Request.of(new Key(Sample.TENANT, scope, key), Codec.text())
            .withFingerprint(Sample.FINGERPRINT)
            .withTerms(terms);
    return engine
        .run(request, execution -> effect.perform(OptionalLong.of(execution.fence())))
        .fold(
            executed -> new Reply.Executed(requireNonNull(executed.value())),
            replayed -> new Reply.Replayed(requireNonNull(replayed.value())),
            held -> new Reply.Busy(),
            mismatched -> new Reply.Known(),
            uncertain -> new Reply.Known(),
            dropped -> new Reply.Known());
  }
}
