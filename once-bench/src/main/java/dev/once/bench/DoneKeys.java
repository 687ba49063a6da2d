package dev.once.bench;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Keys that every contestant has executed. */
record DoneKeys(List<String> keys) {
  private static final int CALLERS = 16;

  static DoneKeys executedBy(Contestants contestants, int count) throws Exception {
    List<String> keys = Stream.generate(Sample::newKey).limit(count).toList();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      for (Contestant contestant : contestants.all()) {
        for (Future<String> done :
            threads.invokeAll(keys.stream().map(it -> execution(contestant, it)).toList())) {
          done.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return new DoneKeys(keys);
  }

  String any() {
    return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
  }

  private static Callable<String> execution(Contestant contestant, String key) {
    return () -> {
      contestant.execute(key);
      return key;
    };
  }
}
