package dev.once.bench;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A process that claims keys of every contestant, reports each on its output, and performs their
 * effects when its input says so. It is paused or killed in between.
 */
final class Owner {
  static final String ANSWER = "owner";
  static final String OWNS = "owns ";
  static final String ENDED = "ended ";
  static final int GO = '!';

  private Owner() {}

  /** The arguments are the keys to claim. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Trial trial = new Trial(ServerAddresses.ofEnvironment());
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    for (Contestant contestant : trial.owners()) {
      for (String key : arguments) {
        threads.execute(() -> own(trial, contestant, key, go));
      }
    }
    if (System.in.read() == GO) {
      go.countDown();
    }
  }

  private static void own(Trial trial, Contestant contestant, String key, CountDownLatch go) {
    Contestant.Effect effect =
        fence -> {
          System.out.println(OWNS + line(contestant, key));
          go.await();
          return trial.effects().write(key(contestant, key), ANSWER, fence);
        };
    try {
      contestant.call(key(contestant, key), effect);
      System.out.println(ENDED + line(contestant, key) + "completed");
    } catch (Exception e) {
      System.out.println(refusal(contestant, key) + ": " + e);
    }
  }

  /** Returns the start of the line that reports a failed completion. */
  static String refusal(Contestant contestant, String key) {
    return ENDED + line(contestant, key) + "refused";
  }

  private static String line(Contestant contestant, String key) {
    return contestant.name() + " | " + key + " | ";
  }

  /** Returns a key per contestant, as contestants share a table of effects. */
  static String key(Contestant contestant, String key) {
    return key + "-" + Integer.toHexString(contestant.name().hashCode());
  }
}
