package dev.once.bench;

import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Once as applications use it: {@code Once.run}, with its heartbeat and its codec. */
final class OnceEngine implements Contestant {
  private static final String SCOPE = "engine";

  private final BenchDatabase database;
  private final Once once;
  private final Terms terms;

  OnceEngine(BenchDatabase database, Once once, Duration lease) {
    this.database = database;
    this.once = once;
    this.terms = Sample.TERMS.withLease(lease);
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
  public Role role() {
    return Role.ONCE;
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
  public Reply call(String key, Effect effect) throws Exception {
    return reply(once.run(request(key), effectOf(effect)));
  }

  @Override
  public long done() throws SQLException {
    return OnceStore.doneIn(database, SCOPE);
  }

  private Result<byte @Nullable []> run(String key) {
    return once.run(request(key), execution -> Sample.ANSWER);
  }

  private Request<byte @Nullable []> request(String key) {
    return Sample.request(new Key(Sample.TENANT, SCOPE, key)).withTerms(terms);
  }

  /** Returns the effect with its fence, and its answer as bytes. */
  static dev.once.Effect<byte @Nullable [], Exception> effectOf(Effect effect) {
    return execution ->
        effect.perform(OptionalLong.of(execution.fence())).getBytes(StandardCharsets.UTF_8);
  }

  static Reply reply(Result<byte @Nullable []> result) {
    return result.fold(
        executed -> new Reply.Executed(text(executed.value())),
        replayed -> new Reply.Replayed(text(replayed.value())),
        held -> new Reply.Busy(),
        mismatched -> new Reply.Known(),
        uncertain -> new Reply.Known(),
        dropped -> new Reply.Known());
  }

  private static String text(byte @Nullable [] answer) {
    return new String(Objects.requireNonNull(answer), StandardCharsets.UTF_8);
  }

  static void require(Class<?> expected, Result<byte @Nullable []> result) {
    if (!expected.isInstance(result)) {
      throw new IllegalStateException("expected " + expected.getSimpleName() + ", got " + result);
    }
  }
}
