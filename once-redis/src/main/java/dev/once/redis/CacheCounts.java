package dev.once.redis;

import java.util.concurrent.atomic.LongAdder;

/** Counts the hits, misses and failures of the tiers. */
final class CacheCounts {
  private final LongAdder memoryHits = new LongAdder();
  private final LongAdder memoryMisses = new LongAdder();
  private final LongAdder redisHits = new LongAdder();
  private final LongAdder redisMisses = new LongAdder();
  private final LongAdder redisFailures = new LongAdder();

  void memoryRead(boolean hit) {
    (hit ? memoryHits : memoryMisses).increment();
  }

  void redisRead(boolean hit) {
    (hit ? redisHits : redisMisses).increment();
  }

  void redisFailed() {
    redisFailures.increment();
  }

  NearCache.Stats with(MemoryTier memory) {
    return new NearCache.Stats(
        memoryHits.sum(),
        memoryMisses.sum(),
        redisHits.sum(),
        redisMisses.sum(),
        redisFailures.sum(),
        memory.entries(),
        memory.bytes());
  }
}
