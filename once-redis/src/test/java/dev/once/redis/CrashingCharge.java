package dev.once.redis;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Key;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.testkit.Program;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A program that charges a customer and dies at a given moment, as if by kill -9. */
final class CrashingCharge {
  static final Duration LEASE = Duration.ofMinutes(5);

  /** A list in Redis, which plays the provider too. */
  static final String CHARGED = "charged";

  /** When the process dies. */
  enum Moment {
    AFTER_CLAIM,
    AFTER_EFFECT,
    BEFORE_COMPLETE,
    AFTER_COMPLETE
  }

  private CrashingCharge() {}

  public static void main(String[] args) {
    Moment death = Moment.valueOf(args[1]);
    run(
        args[0],
        Recovery.valueOf(args[2]),
        execution -> EffectState.unknown(),
        step -> {
          if (step == death) {
            // No finally block, no shutdown hook, no closing of connections: like kill -9.
            Runtime.getRuntime().halt(Program.KILLED);
          }
        });
  }

  static Result<@Nullable String> run(
      String uri,
      Recovery recovery,
      Reconciler<@Nullable String> reconciler,
      Consumer<Moment> reached) {
    Request<@Nullable String> charge =
        Request.of(new Key("acme", "payments", "order-42"), telling(reached))
            .withTerms(Terms.DEFAULT.withRecovery(recovery).withLease(LEASE))
            .withReconciler(reconciler);
    try (RedisClient provider = RedisClient.create(uri);
        RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(uri));
        Once once = Once.over(store, event -> tell(event, reached))) {
      return once.run(
          charge,
          execution -> {
            provider.connect().sync().rpush(CHARGED, Long.toString(execution.fence()));
            reached.accept(Moment.AFTER_EFFECT);
            return "receipt";
          });
    }
  }

  private static void tell(EngineEvent event, Consumer<Moment> reached) {
    if (event instanceof EngineEvent.Granted) {
      reached.accept(Moment.AFTER_CLAIM);
    } else if (event instanceof EngineEvent.Completed) {
      reached.accept(Moment.AFTER_COMPLETE);
    }
  }

  /** The engine encodes the value right before it sends the completion. */
  private static Codec<@Nullable String> telling(Consumer<Moment> reached) {
    return Codec.of(
        text -> {
          reached.accept(Moment.BEFORE_COMPLETE);
          return text.getBytes(StandardCharsets.UTF_8);
        },
        bytes -> new String(bytes, StandardCharsets.UTF_8));
  }
}
