package dev.once.bench;

import java.util.Optional;

/**
 * Reads the processor time of a process and all its descendants, those that have ended included.
 * PostgreSQL, for example, has a process for each connection.
 *
 * @param pid of the process that started the others
 */
record ProcessTree(long pid) implements CpuClock {
  /** Far more than needed: children end rarely, and a reading takes milliseconds. */
  private static final int MAX_READINGS = 10;

  /**
   * A child that ends during a reading would be missed or counted twice, as its time moves to its
   * parent. So the reading is repeated if the time of ended children has changed meanwhile.
   */
  @Override
  public double nanos() {
    Optional<CpuTicks> before = CpuTicks.of(pid);
    for (int reading = 1; ; reading++) {
      long descendants = descendantTicks();
      Optional<CpuTicks> after = CpuTicks.of(pid);
      if (before.isEmpty() || after.isEmpty()) {
        return Double.NaN;
      }
      if (before.get().ended() == after.get().ended() || reading == MAX_READINGS) {
        return (descendants + after.get().total()) * CpuTicks.NANOS_PER_TICK;
      }
      before = after;
    }
  }

  private long descendantTicks() {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .flatMap(it -> CpuTicks.of(it.pid()).stream())
        .mapToLong(CpuTicks::total)
        .sum();
  }
}
