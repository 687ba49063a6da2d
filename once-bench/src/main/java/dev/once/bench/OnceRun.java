package dev.once.bench;

import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.bench.IdempotentReceiver.Effect;
import dev.once.bench.IdempotentReceiver.Role;
import dev.once.jdbc.JdbcRecordStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Once as applications use it: {@code Once.run}, with its heartbeat and its codec. */
record OnceRun(String scope, Terms terms, Engine engine) {
  interface Engine {
    Result<byte @Nullable []> run(
        Request<byte @Nullable []> request, dev.once.Effect<byte @Nullable [], Exception> effect)
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
                Result<byte @Nullable []> result =
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
        name, note, IdempotentReceiver.of(Role.ONCE, this::call, done).replaying(replayNote));
  }

  private Reply call(String key, Effect effect) throws Exception {
    Request<byte @Nullable []> request = Sample.request(new Key(Sample.TENANT, scope, key));
    return engine
        .run(
            request.withTerms(terms),
            execution -> bytes(effect.perform(OptionalLong.of(execution.fence()))))
        .fold(
            executed -> new Reply.Executed(text(executed.value())),
            replayed -> new Reply.Replayed(text(replayed.value())),
            held -> new Reply.Busy(),
            mismatched -> new Reply.Known(),
            uncertain -> new Reply.Known(),
            dropped -> new Reply.Known());
  }

  private static byte[] bytes(String answer) {
    return answer.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte @Nullable [] answer) {
    return new String(Objects.requireNonNull(answer), StandardCharsets.UTF_8);
  }
}
