package dev.once.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads how much processor time some processes have used since they started. */
interface CpuClock {
  /** The kernel reports 100 ticks a second on every architecture that has a JVM. */
  double NANOS_PER_TICK = 1e7;

  /** In nanoseconds; NaN where the operating system does not report it. */
  double nanos();

  /** Reads the time of this JVM: callers, contestants, compiler and garbage collector. */
  static CpuClock jvm() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return () -> {
      long nanos = system.getProcessCpuTime();
      return nanos < 0 ? Double.NaN : nanos;
    };
  }

  /**
   * Reads the time of a process and all its descendants, those that have ended included.
   * PostgreSQL, for example, has a process for each connection.
   */
  static CpuClock processTree(long pid) {
    return () -> {
      long descendants =
          ProcessHandle.of(pid).stream()
              .flatMap(ProcessHandle::descendants)
              .flatMap(it -> Ticks.of(it.pid()).stream())
              .mapToLong(Ticks::total)
              .sum();
      return Ticks.of(pid)
          .map(it -> (descendants + it.total()) * NANOS_PER_TICK)
          .orElse(Double.NaN);
    };
  }

  /**
   * The processor time of one process, in user and kernel mode, as Linux reports it in {@code
   * /proc/<pid>/stat}.
   *
   * @param own of the process itself
   * @param ended of its children that have ended and been waited for
   */
  record Ticks(long own, long ended) {
    // proc(5) has these as fields 14 to 17. Counting starts after the name, which may have blanks.
    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int CUTIME = 13;
    private static final int CSTIME = 14;

    /** Returns empty if there is no such process, or no {@code /proc}. */
    static Optional<Ticks> of(long pid) {
      try {
        return Optional.of(parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    static Ticks parse(String stat) {
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return new Ticks(
          Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]),
          Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CSTIME]));
    }

    long total() {
      return own + ended;
    }
  }
}
