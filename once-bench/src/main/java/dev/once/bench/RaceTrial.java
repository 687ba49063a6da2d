package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Several callers claim the same key at the same moment. */
record RaceTrial(EffectRows effects, int keys) {
  private static final int CALLERS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  TrialResult run(Contestant contestant) throws Exception {
    List<String> asked = Stream.generate(Sample::newKey).limit(keys).toList();
    Client client = new Client(contestant, effects, PATIENCE);
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    long wrong = 0;
    long silent = 0;
    try {
      for (String key : asked) {
        Answers answers = Answers.of(race(threads, client, key), client.ask(key, "later"));
        wrong += answers.wrong();
        silent += answers.silent();
      }
    } finally {
      threads.shutdownNow();
    }
    return new TrialResult(
        "%d callers at once".formatted(CALLERS),
        contestant,
        effects.counts(asked),
        wrong,
        silent,
        "");
  }

  private static List<Reply> race(ExecutorService threads, Client client, String key)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(CALLERS);
    List<Callable<Reply>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String answer = "caller " + i;
      callers.add(
          () -> {
            start.await();
            return client.ask(key, answer);
          });
    }
    List<Reply> replies = new ArrayList<>();
    for (Future<Reply> reply : threads.invokeAll(callers)) {
      replies.add(reply.get());
    }
    return replies;
  }
}
