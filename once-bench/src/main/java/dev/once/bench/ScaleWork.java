package dev.once.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Work on a table of some size, and yardstick work that shows the machine's noise. */
final class ScaleWork {
  private final BenchDatabase database;
  private final OnceStore once;
  private final Yardstick yardstick;
  private final List<CpuClock> clocks;
  private final long rows;

  ScaleWork(ScaleTable table) {
    this.database = table.database();
    this.once = new OnceStore(table.database(), Sample.TERMS.lease());
    this.yardstick = new Yardstick(table.database());
    this.clocks = table.database().clocks();
    this.rows = table.rows();
  }

  Series execute() {
    return series("claim + complete of new keys", this::executeNew);
  }

  Series executeBeside(Purging purging) {
    return new Series("with a purge", this::executeNew, purging).metered(clocks);
  }

  Purging purging(Duration round) {
    return new Purging(database, round);
  }

  Series replay() {
    return series("replay of random keys", this::replayAny);
  }

  Series write() {
    return series("yardstick: one-row update", yardstick::write);
  }

  Series read() {
    return series("yardstick: one-row read", yardstick::read);
  }

  private Series series(String name, Work work) {
    return new Series(name, work).metered(clocks);
  }

  private void executeNew() {
    once.execute(ScaleKeys.unused(any()));
  }

  private void replayAny() {
    long number = any();
    once.replay(ScaleKeys.key(number), ScaleKeys.fingerprint(number));
  }

  private long any() {
    return ThreadLocalRandom.current().nextLong(rows);
  }
}
