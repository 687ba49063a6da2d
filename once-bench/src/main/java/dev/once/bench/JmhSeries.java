package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A method of a JMH benchmark, measured several times, each time in a separate JVM. */
final class JmhSeries {
  private static final int WARM_UPS = 2;
  private static final int ITERATIONS = 3;
  private static final String ALLOCATED = "gc.alloc.rate.norm";

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

  void measure(Settings settings) throws RunnerException {
    TimeValue time = new TimeValue(settings.round().toMillis(), TimeUnit.MILLISECONDS);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + method.replace(".", "\\.") + "$")
            .addProfiler(GCProfiler.class)
            .forks(settings.forked() ? 1 : 0)
            .warmupIterations(WARM_UPS)
            .warmupTime(time)
            .measurementIterations(ITERATIONS)
            .measurementTime(time)
            .jvmArgsAppend(QUIET)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    parameters.forEach(options::param);
    runs.addAll(new Runner(options.build()).run());
  }

  double micros() {
    return Median.of(runs.stream().map(it -> it.getPrimaryResult().getScore()).toList());
  }

  double allocatedBytes() {
    return Median.of(runs.stream().map(JmhSeries::allocatedBytes).toList());
  }

  private static double allocatedBytes(RunResult run) {
    Result<?> allocated = run.getSecondaryResults().get(ALLOCATED);
    if (allocated == null) {
      throw new IllegalStateException(
          "the JVM does not report what " + run.getParams() + " allocates");
    }
    return allocated.getScore();
  }
}
