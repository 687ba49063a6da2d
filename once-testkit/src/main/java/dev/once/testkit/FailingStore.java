package dev.once.testkit;

import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fails chosen calls, before they reach the real store or after it has executed them. */
final class FailingStore extends InterceptedStore {
  /** More often than any caller retries. */
  static final int ALWAYS = Integer.MAX_VALUE;

  private final Map<Call, Integer> requests = new EnumMap<>(Call.class);
  private final Map<Call, Integer> answers = new EnumMap<>(Call.class);

  private @Nullable SplittableRandom random;
  private int odds;

  FailingStore(RecordStore store) {
    super(store);
  }

  /** The next {@code times} such calls do not reach the store. */
  synchronized FailingStore losingRequests(Call call, int times) {
    requests.put(call, times);
    return this;
  }

  /** The next {@code times} such calls reach the store, but its answer is lost. */
  synchronized FailingStore losingAnswers(Call call, int times) {
    answers.put(call, times);
    return this;
  }

  /** Loses one of {@code odds} answers at random. */
  synchronized FailingStore losingAnswersAtRandom(long seed, int odds) {
    random = new SplittableRandom(seed);
    this.odds = odds;
    return this;
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    if (takesOneOf(requests, call)) {
      throw new StoreException("the request to " + call + " was lost", null);
    }
    R given = answer.get();
    if (takesOneOf(answers, call) || losesAtRandom()) {
      throw new StoreException("the answer to " + call + " was lost", null);
    }
    return given;
  }

  private synchronized boolean losesAtRandom() {
    return random != null && random.nextInt(odds) == 0;
  }

  private synchronized boolean takesOneOf(Map<Call, Integer> failures, Call call) {
    int left = failures.getOrDefault(call, 0);
    if (left > 0) {
      failures.put(call, left - 1);
    }
    return left > 0;
  }
}
