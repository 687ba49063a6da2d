package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The processor time of one process, in user and kernel mode, as Linux reports it in {@code
 * /proc/<pid>/stat}.
 *
 * @param own of the process itself
 * @param ended of its children that have ended and been waited for
 */
record CpuTicks(long own, long ended) {
  /** The kernel reports 100 ticks a second on every architecture that has a JVM. */
  static final double NANOS_PER_TICK = 1e7;

  // proc(5) counts fields from 1; the name in field 2 may contain blanks, so we start after it.
  private static final int FIRST_FIELD = 3;
  private static final int UTIME = 14 - FIRST_FIELD;
  private static final int STIME = 15 - FIRST_FIELD;
  private static final int CUTIME = 16 - FIRST_FIELD;
  private static final int CSTIME = 17 - FIRST_FIELD;

  /** Returns empty if there is no such process, or no {@code /proc}. */
  static Optional<CpuTicks> of(long pid) {
    try {
      return Optional.of(parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static CpuTicks parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new CpuTicks(
        Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]),
        Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CSTIME]));
  }

  long total() {
    return own + ended;
  }
}
