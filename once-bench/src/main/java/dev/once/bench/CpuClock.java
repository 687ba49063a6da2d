package dev.once.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Reads how much processor time some processes have used since they started. */
@FunctionalInterface
interface CpuClock {
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
}
