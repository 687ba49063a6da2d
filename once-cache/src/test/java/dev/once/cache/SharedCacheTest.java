package dev.once.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What nodes have in memory, and what they find in the cache that they share. */
class SharedCacheTest {
  private static final Key KEY = new Key("acme", "orders", "1");
  private static final Fingerprint ASKED = Fingerprint.sha256("one euro");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Claim.Replay REPLAY =
      new Claim.Replay(Outcome.completed(Payload.of("receipt".getBytes(UTF_8))), Headers.NONE);

  private final NearCache shared = NearCache.builder().build();
  private final NearCache node = NearCache.builder().shared(shared).build();
  private final NearCache otherNode = NearCache.builder().shared(shared).build();

  @Test
  void findsWhatAnotherNodeKept() {
    otherNode.keep(KEY, ASKED, REPLAY, () -> DAY);

    assertThat(node.find(KEY, ASKED)).contains(REPLAY);
    assertThat(node.find(KEY, Fingerprint.sha256("two euros"))).isEmpty();
    assertThat(node.stats().misses()).isEqualTo(2);
  }

  // A16
  @Test
  void doesNotFillMemoryFromTheSharedCache() {
    otherNode.keep(KEY, ASKED, REPLAY, () -> DAY);

    node.find(KEY, ASKED);

    assertThat(node.stats().entries()).isZero();
  }

  @Test
  void looksIntoMemoryFirst() {
    node.keep(KEY, ASKED, REPLAY, () -> DAY);

    assertThat(node.find(KEY, ASKED)).contains(REPLAY);
    assertThat(node.stats().hits()).isEqualTo(1);
    assertThat(shared.stats().hits() + shared.stats().misses()).isZero();
  }

  @Test
  void forgetsInMemoryAndInTheSharedCache() {
    node.keep(KEY, ASKED, REPLAY, () -> DAY);

    node.forget(KEY);

    assertThat(node.find(KEY, ASKED)).isEmpty();
    assertThat(otherNode.find(KEY, ASKED)).isEmpty();
  }

  @Test
  void saysThatTheSharedCacheMayStillHaveAnOutcome() {
    StoreException refusal = new StoreException("no answer", null);
    NearCache isolated = NearCache.builder().shared(new UnforgettingCache(refusal)).build();
    isolated.keep(KEY, ASKED, REPLAY, () -> DAY);

    assertThatThrownBy(() -> isolated.forget(KEY)).isSameAs(refusal);

    assertThat(isolated.find(KEY, ASKED)).as("in memory").isEmpty();
  }

  /** Is empty, and cannot forget. */
  private record UnforgettingCache(StoreException refusal) implements OutcomeCache {
    @Override
    public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
      return Optional.empty();
    }

    @Override
    public void keep(
        Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {}

    @Override
    public void forget(Key key) {
      throw refusal;
    }
  }
}
