package dev.once.bench;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What is done with a table of some size, and what is done beside it to see the machine's noise.
 */
final class ScaleWork {
  private final OnceStore once;
  private final Yardstick yardstick;
  private final long rows;

  ScaleWork(ScaleTable table) {
    this.once = new OnceStore(table.database());
    this.yardstick = new Yardstick(table.database());
    this.rows = table.rows();
  }

  Lane execute() {
    return new Lane("claim + complete of new keys", () -> once.execute(ScaleKeys.unused(any())));
  }

  Lane replay() {
    return new Lane("replay of random keys", this::replayAny);
  }

  Lane write() {
    return new Lane("yardstick: one-row update", yardstick::write);
  }

  Lane read() {
    return new Lane("yardstick: one-row read", yardstick::read);
  }

  private void replayAny() {
    long number = any();
    once.replay(ScaleKeys.key(number), ScaleKeys.fingerprint(number));
  }

  private long any() {
    return ThreadLocalRandom.current().nextLong(rows);
  }
}
