package dev.once.bench;

import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures the engine itself: the store is a map in the same process. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EngineJmh {
  private static final int KEYS = 1 << 10;
  private static final Duration LAP = Sample.TERMS.retention().plusHours(1);

  private final Key[] keys = newKeys();
  private final Key doneKey = new Key(Sample.TENANT, "engine", "done");

  private Instant now = Instant.EPOCH;
  private int calls;

  private final Once once = Once.over(new InMemoryRecordStore(() -> now));

  @TearDown
  public void close() {
    once.close();
  }

  /**
   * Executes a key that is new or has expired. The store holds at most one lap of keys: after each
   * lap the clock advances past the retention, so all keys have expired.
   */
  @Benchmark
  public Result<byte @Nullable []> execute() {
    int index = calls++ % KEYS;
    if (index == 0) {
      now = now.plus(LAP);
    }
    return once.run(Sample.request(keys[index]), execution -> Sample.ANSWER);
  }

  @Benchmark
  public Result<byte @Nullable []> replay() {
    return once.run(Sample.request(doneKey), execution -> Sample.ANSWER);
  }

  private static Key[] newKeys() {
    Key[] keys = new Key[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = new Key(Sample.TENANT, "engine", Sample.newKey());
    }
    return keys;
  }
}
