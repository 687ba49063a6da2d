package dev.once.bench;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What is done with a table of some size, and what is done beside it to see the machine's noise.
 */
final class ScaleWork {
  private final BenchDatabase database;
  private final OnceStore once;
  private final Yardstick yardstick;
  private final long rows;

  ScaleWork(ScaleTable table) {
    this.database = table.database();
    this.once = new OnceStore(table.database(), Sample.TERMS.lease());
    this.yardstick = new Yardstick(table.database());
    this.rows = table.rows();
  }

  Lane execute() {
    return new Lane("claim + complete of new keys", () -> once.execute(ScaleKeys.unused(any())));
  }

  Lane executeBeside(Purging purging) {
    return new Lane("with a purge", () -> once.execute(ScaleKeys.unused(any())), purging);
  }

  Purging purging(Duration round) {
    return new Purging(database, round);
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
