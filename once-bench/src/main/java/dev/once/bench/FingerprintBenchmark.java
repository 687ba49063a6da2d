package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures the canonical fingerprint of JSON bodies with JMH, each time in a separate JVM. */
final class FingerprintBenchmark {
  /** The forks of the contestants alternate, like the rounds of the other benchmarks. */
  private static final int MAX_FORKS = 3;

  private static final int SMALL_BODY = 1024;
  private static final int LARGE_BODY = 65_536;

  // The least speed of the fingerprint, as a multiple of its peer's.
  private static final double SMALL_BODY_AIM = 5.5;
  private static final double LARGE_BODY_AIM = 5;

  private static final String PEER = "java-json-canonicalization + SHA-256";

  /** JMH uses APIs that newer JVMs warn about, in every fork. */
  private static final String[] QUIET =
      Runtime.version().feature() < 24
          ? new String[0]
          : new String[] {"--sun-misc-unsafe-memory-access=allow"};

  private final List<RunResult> results = new ArrayList<>();

  private FingerprintBenchmark() {}

  static Report run(Session session) throws Exception {
    FingerprintBenchmark benchmark = new FingerprintBenchmark();
    TimeValue time = new TimeValue(session.round().toMillis(), TimeUnit.MILLISECONDS);
    Options options =
        new OptionsBuilder()
            .include(FingerprintJmh.class.getName())
            .addProfiler(GCProfiler.class)
            .forks(1)
            .warmupIterations(2)
            .warmupTime(time)
            .measurementIterations(3)
            .measurementTime(time)
            .jvmArgsAppend(QUIET)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    int forks = Math.min(MAX_FORKS, session.settings().rounds());
    for (int fork = 1; fork <= forks; fork++) {
      session.say("fingerprint: fork %d of %d of each contestant".formatted(fork, forks));
      benchmark.results.addAll(new Runner(options).run());
    }
    Table table =
        new Table(
                "Canonical fingerprint of a JSON body, from bytes to SHA-256",
                "body bytes | contestant | µs per call | bytes allocated per call"
                    + " | Once is faster, times")
            .charted("µs per call", "contestant", "body bytes");
    benchmark.addRows(table, SMALL_BODY, SMALL_BODY_AIM);
    benchmark.addRows(table, LARGE_BODY, LARGE_BODY_AIM);
    return new Report(
        "Median of %d JVMs, in turns. %s.".formatted(forks, Machine.describe()), List.of(table));
  }

  private void addRows(Table table, int bytes, double aim) {
    double micros = micros("once", bytes);
    double peer = micros("jcs", bytes);
    double ratio = peer / micros;
    table
        .row(bytes, "once-json", micros, allocatedBytes("once", bytes), "")
        .row(bytes, PEER, peer, allocatedBytes("jcs", bytes), ratio)
        .add(Finding.atLeast(aim, "fingerprint of %,d bytes".formatted(bytes), PEER, ratio));
  }

  private double micros(String method, int bytes) {
    return median(method, bytes, it -> it.getPrimaryResult().getScore());
  }

  private double allocatedBytes(String method, int bytes) {
    return median(
        method,
        bytes,
        it ->
            Objects.requireNonNull(it.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
  }

  private double median(String method, int bytes, ToDoubleFunction<RunResult> value) {
    return Series.median(
        results.stream()
            .filter(it -> it.getParams().getBenchmark().endsWith("." + method))
            .filter(it -> it.getParams().getParam("bytes").equals(Integer.toString(bytes)))
            .map(value::applyAsDouble)
            .toList());
  }
}
