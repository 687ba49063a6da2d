package dev.once.bench;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.cache.NearCache;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.json.Fingerprinter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replays from a cache in memory, compared with the least that an application would do without
 * Once: compute the fingerprint of the body and look the key up in a map.
 */
final class NearCacheBenchmark {
  private static final double AIM = 0.5;
  private static final int KEYS = 1000;
  private static final int BODY_BYTES = 1024;

  /** No server is involved: more callers would only wait for processors. */
  private static final int MAX_CALLERS = 16;

  private final Fingerprinter fingerprinter = Fingerprinter.sha256();
  private final byte[] body = Bodies.order(BODY_BYTES);
  private final List<Key> keys =
      Stream.generate(() -> new Key(Sample.TENANT, "near", Sample.newKey())).limit(KEYS).toList();

  /** What an application would cache without Once. Not changed during the measurement. */
  private final Map<Key, Entry> map = new HashMap<>();

  private record Entry(Fingerprint fingerprint, String answer) {}

  private NearCacheBenchmark() {}

  static Report run(Session session) throws Exception {
    return new NearCacheBenchmark().measure(session);
  }

  private Report measure(Session session) throws Exception {
    SpeedTable table =
        SpeedTable.of(
            session,
            "near-cache",
            "Replays with a body of %,d bytes, its fingerprint included".formatted(BODY_BYTES));
    // No entry may expire between two rounds: replays do not fill the cache again.
    NearCache cache = NearCache.builder().maxAge(Duration.ofHours(12)).build();
    try (BenchDatabase database = session.databaseOfOnce("near_cache");
        Once near = Once.builder(JdbcRecordStore.over(database.pool())).cache(cache).build();
        Once far = Once.over(JdbcRecordStore.over(database.pool()))) {
      session.say("near-cache: keys are executed");
      for (Key key : keys) {
        call(near, key, Result.Executed.class);
        map.put(key, new Entry(fingerprinter.json(body), Sample.TEXT));
      }
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        Series cached =
            session
                .series("Once.run, near cache", callers, () -> replay(near))
                .counting(() -> cache.stats().hits(), 1);
        Series mapped = session.series("by hand: HashMap", callers, this::lookUp);
        Series stored = session.series("Once.run, from PostgreSQL", callers, () -> replay(far));
        table.compare(
            callers,
            database::settle,
            new SpeedTable.Contest("replays", AIM, cached, mapped, stored));
      }
    }
    return table.report();
  }

  private void replay(Once once) {
    call(once, Sample.anyOf(keys), Result.Replayed.class);
  }

  private void call(Once once, Key key, Class<?> expected) {
    Request<@Nullable String> request =
        Request.of(key, Codec.text()).withFingerprint(fingerprinter.json(body));
    Result<@Nullable String> result = once.run(request, execution -> Sample.TEXT);
    if (!expected.isInstance(result)) {
      throw new IllegalStateException("expected " + expected.getSimpleName() + ", got " + result);
    }
  }

  private void lookUp() {
    Entry entry = map.get(Sample.anyOf(keys));
    Sample.requireFound("map", entry != null && entry.fingerprint.equals(fingerprinter.json(body)));
  }
}
