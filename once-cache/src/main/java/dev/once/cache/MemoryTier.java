package dev.once.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.spi.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Caches outcomes in this process, in a bounded number of bytes. */
final class MemoryTier {
  /** One outcome may take an eighth of the memory: a larger one would evict too many others. */
  private static final int SHARE_OF_ONE = 8;

  private final Cache<Key, MemoryEntry> entries;
  private final long maxEntryBytes;
  private final Duration maxAge;
  private final Ticker ticker;

  MemoryTier(long maxBytes, Duration maxAge, Ticker ticker) {
    this.maxEntryBytes = maxBytes / SHARE_OF_ONE;
    this.maxAge = maxAge;
    this.ticker = ticker;
    this.entries =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher(MemoryTier::weight)
            .expireAfter(Expiry.<Key, MemoryEntry>writing((key, kept) -> kept.life()))
            .ticker(ticker)
            .executor(Runnable::run) // Evicts before the writing call returns.
            .build();
  }

  Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    MemoryEntry kept = entries.getIfPresent(key);
    return kept == null ? Optional.empty() : kept.replayTo(fingerprint, ticker.read());
  }

  void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {
    long now = ticker.read();
    Duration least = left.get();
    Duration life = least.compareTo(maxAge) < 0 ? least : maxAge;
    MemoryEntry fresh = MemoryEntry.of(fingerprint, replay, life, now);
    if (!life.isNegative() && fresh.bytes(key) <= maxEntryBytes) {
      entries.asMap().compute(key, (it, old) -> isForgotten(old) ? old : fresh);
    }
  }

  void forget(Key key, Duration howLong) {
    entries.put(key, MemoryEntry.forgotten(howLong));
  }

  long entries() {
    return entries.estimatedSize();
  }

  long bytes() {
    return entries.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }

  private static boolean isForgotten(@Nullable MemoryEntry kept) {
    return kept != null && kept.isForgotten();
  }

  private static int weight(Key key, MemoryEntry kept) {
    return (int) Math.min(Integer.MAX_VALUE, kept.bytes(key));
  }
}
