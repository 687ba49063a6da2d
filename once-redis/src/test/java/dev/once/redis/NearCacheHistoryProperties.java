package dev.once.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Request;
import dev.once.Result;
import dev.once.Sealing;
import dev.once.Terms;
import dev.once.cache.NearCache;
import dev.once.spi.OutcomeCache;
import dev.once.testkit.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random histories of two nodes end alike with caches and without. */
class NearCacheHistoryProperties {
  private static final CachedDatabase DATABASE = new CachedDatabase("twice", TestRedis.shared());
  private static final NearCache NEAR = DATABASE.newCache();
  private static final RedisCache FAR = DATABASE.newRedisCache(Sealing.NONE);

  @AfterContainer
  static void close() {
    DATABASE.close();
  }

  @Property(tries = 100)
  void givesTheSameAnswersWithCachesAsWithout(@ForAll("histories") List<Step> history) {
    Player cached = new Player(NEAR, FAR);
    Player plain = new Player(OutcomeCache.NONE, OutcomeCache.NONE);

    for (Step step : history) {
      assertThat(cached.take(step)).as("%s of %s", step, history).isEqualTo(plain.take(step));
      DATABASE.elapse(Duration.ofSeconds(step.secondsAfter));
    }
    assertThat(cached.runs).isEqualTo(plain.runs);
  }

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Step> steps =
        Combinators.combine(
                Arbitraries.frequency(
                    Tuple.of(12, What.RUN),
                    Tuple.of(3, What.RUN_ELSEWHERE),
                    Tuple.of(2, What.REFUSE),
                    Tuple.of(2, What.EXPIRE),
                    Tuple.of(1, What.FLUSH)),
                Arbitraries.integers().between(0, 2),
                Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(1, 1)),
                Arbitraries.frequency(
                    Tuple.of(6, 0), Tuple.of(2, 5), Tuple.of(1, 30), Tuple.of(1, 60)))
            .as(Step::new);
    return steps.list().ofMinSize(1).ofMaxSize(30);
  }

  /** The kinds of steps in a history. */
  enum What {
    RUN,
    RUN_ELSEWHERE,
    REFUSE,
    EXPIRE,
    FLUSH
  }

  /** A step, and how much time passes after it. */
  record Step(What what, int key, int asked, int secondsAfter) {}

  /** Two nodes and an operator, with a tenant of their own. */
  private static final class Player {
    private final String tenant = UUID.randomUUID().toString();
    private final OutcomeCache cache;
    private final Once node;
    private final Once otherNode;
    private int runs;

    Player(OutcomeCache cache, OutcomeCache otherCache) {
      this.cache = cache;
      this.node = Once.builder(DATABASE.store()).cache(cache).build();
      this.otherNode = Once.builder(DATABASE.store()).cache(otherCache).build();
    }

    String take(Step step) {
      Key key = new Key(tenant, "history", "key " + step.key);
      return switch (step.what) {
        case RUN -> run(node, key, step, "receipt ");
        case RUN_ELSEWHERE -> run(otherNode, key, step, "receipt ");
        case REFUSE -> run(node, key, step, "refused ");
        case EXPIRE -> expire(key);
        case FLUSH -> DATABASE.flush();
      };
    }

    private String expire(Key key) {
      cache.forget(key);
      return "expired " + DATABASE.store().expire(key);
    }

    private String run(Once node, Key key, Step step, String what) {
      Request<String> request =
          Request.of(key, new ReceiptCodec())
              .withFingerprint(Fingerprint.sha256("request " + step.asked))
              .withTerms(
                  Terms.DEFAULT.withRetention(Duration.ofSeconds(90), Duration.ofSeconds(30)));
      Result<String> result = node.run(request, execution -> what + ++runs);
      return result.getClass().getSimpleName()
          + (result instanceof Result.Mismatched ? "" : " " + result.orThrow());
    }
  }

  /** Refusals are failures. */
  private static final class ReceiptCodec implements Codec<String> {
    @Override
    public Outcome encode(String value) {
      Payload payload = Payload.of(value.getBytes(UTF_8));
      return value.startsWith("refused") ? Outcome.failed(payload) : Outcome.completed(payload);
    }

    @Override
    public String decode(Outcome outcome) {
      return new String(((Payload.Bytes) outcome.payload()).toArray(), UTF_8);
    }
  }
}
