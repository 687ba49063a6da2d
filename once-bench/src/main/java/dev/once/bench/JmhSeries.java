package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A method of a JMH benchmark, measured several times, each time in a separate JVM. */
final class JmhSeries {
  /** JMH uses APIs that newer JVMs warn about, in every fork. */
  private static final String[] QUIET =
      Runtime.version().feature() < 24
          ? new String[0]
          : new String[] {"--sun-misc-unsafe-memory-access=allow"};

  private final String method;
  private final Map<String, String> parameters;
  private final List<RunResult> runs = new ArrayList<>();

  JmhSeries(Class<?> benchmark, String method, Map<String, String> parameters) {
    this.method = benchmark.getName() + "." + method;
    this.parameters = parameters;
  }

  void measure(Duration round) throws RunnerException {
    TimeValue time = new TimeValue(round.toMillis(), TimeUnit.MILLISECONDS);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + method.replace(".", "\\.") + "$")
            .addProfiler(GCProfiler.class)
            .forks(1)
            .warmupIterations(2)
            .warmupTime(time)
            .measurementIterations(3)
            .measurementTime(time)
            .jvmArgsAppend(QUIET)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    parameters.forEach(options::param);
    runs.addAll(new Runner(options.build()).run());
  }

  double micros() {
    return Series.median(runs.stream().map(it -> it.getPrimaryResult().getScore()).toList());
  }

  double allocatedBytes() {
    return Series.median(
        runs.stream()
            .map(it -> it.getSecondaryResults().get("gc.alloc.rate.norm"))
            .map(it -> Objects.requireNonNull(it).getScore())
            .toList());
  }
}
