package dev.once.bench;

import dev.once.Key;
import dev.once.Once;
import dev.once.Result;
import java.sql.SQLException;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Once as applications use it: {@code Once.run}, with its heartbeat and its codec. */
final class OnceEngine implements Contestant {
  private static final String SCOPE = "engine";

  private final BenchDatabase database;
  private final Once once;

  OnceEngine(BenchDatabase database, Once once) {
    this.database = database;
    this.once = once;
  }

  @Override
  public String name() {
    return "Once.run";
  }

  @Override
  public String note() {
    return "taken over when the lease ends; result replayed";
  }

  @Override
  public String replayNote() {
    return "decides, checks the fingerprint, returns the decoded result";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public OptionalDouble aim() {
    return OptionalDouble.empty();
  }

  @Override
  public void execute(String key) {
    require(Result.Executed.class, run(key));
  }

  @Override
  public void replay(String key) {
    require(Result.Replayed.class, run(key));
  }

  @Override
  public long done() throws SQLException {
    return OnceStore.doneIn(database, SCOPE);
  }

  private Result<byte @Nullable []> run(String key) {
    Key full = new Key(Sample.TENANT, SCOPE, key);
    return once.run(Sample.request(full), execution -> Sample.ANSWER);
  }

  static void require(Class<?> expected, Result<byte @Nullable []> result) {
    if (!expected.isInstance(result)) {
      throw new IllegalStateException("expected " + expected.getSimpleName() + ", got " + result);
    }
  }
}
