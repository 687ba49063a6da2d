package dev.once.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Measures what happens outside the database: fingerprints of bodies, and the engine itself. */
final class FingerprintBenchmark implements Benchmark {
  private static final int SMALL_BODY = 1024;
  private static final int LARGE_BODY = 65_536;
  private static final List<Integer> SIZES = List.of(SMALL_BODY, LARGE_BODY);

  /** The least speed of the fingerprint of a small body, as a multiple of its peer. */
  private static final double SMALL_BODY_AIM = 5.5;

  /** The same for a large body. */
  private static final double LARGE_BODY_AIM = 5;

  /** The forks of the measurements alternate, like the rounds of the other benchmarks. */
  private static final int FORKS = 3;

  @Override
  public Report run(Settings settings, Progress progress) throws RunnerException {
    Map<Integer, JmhSeries> once = fingerprints("once");
    Map<Integer, JmhSeries> jcs = fingerprints("jcs");
    JmhSeries execute = new JmhSeries(EngineJmh.class, "execute", Map.of());
    JmhSeries replay = new JmhSeries(EngineJmh.class, "replay", Map.of());
    int forks = settings.forked() ? Math.min(FORKS, settings.rounds()) : 1;
    for (int fork = 1; fork <= forks; fork++) {
      for (int size : SIZES) {
        progress.say("fingerprint of %,d bytes: fork %d of %d".formatted(size, fork, forks));
        get(once, size).measure(settings);
        get(jcs, size).measure(settings);
      }
      progress.say("engine in memory: fork %d of %d".formatted(fork, forks));
      execute.measure(settings);
      replay.measure(settings);
    }
    return new Report(
        "Median of %d JVMs, in turns. %s.".formatted(forks, Machine.describe()),
        List.of(fingerprintTable(once, jcs), engineTable(execute, replay)));
  }

  private static Map<Integer, JmhSeries> fingerprints(String method) {
    Map<Integer, JmhSeries> allSeries = new LinkedHashMap<>();
    for (int size : SIZES) {
      Map<String, String> parameters = Map.of("bytes", Integer.toString(size));
      allSeries.put(size, new JmhSeries(FingerprintJmh.class, method, parameters));
    }
    return allSeries;
  }

  private static Table fingerprintTable(Map<Integer, JmhSeries> once, Map<Integer, JmhSeries> jcs) {
    Table table =
        new Table(
                "Canonical fingerprint of a JSON body, from bytes to SHA-256",
                "body bytes",
                "contestant",
                "µs per call",
                "bytes allocated per call",
                "Once is faster, times",
                "aim",
                "met")
            .charted("µs per call", "contestant", "body bytes");
    for (int size : SIZES) {
      JmhSeries own = get(once, size);
      JmhSeries peer = get(jcs, size);
      double faster = peer.micros() / own.micros();
      table.row(size, "once-json", own.micros(), own.allocatedBytes(), "", "", "");
      table.row(
          size,
          "java-json-canonicalization + SHA-256",
          peer.micros(),
          peer.allocatedBytes(),
          faster,
          new Finding(
              "fingerprint of %,d bytes".formatted(size),
              "java-json-canonicalization + SHA-256",
              faster,
              aim(size)));
    }
    return table;
  }

  private static Aim aim(int size) {
    return Aim.atLeast(size == SMALL_BODY ? SMALL_BODY_AIM : LARGE_BODY_AIM);
  }

  private static Table engineTable(JmhSeries execute, JmhSeries replay) {
    return new Table("Once.run over the in-memory store", "work", "µs per call", "bytes allocated")
        .row("new key", execute.micros(), execute.allocatedBytes())
        .row("done key", replay.micros(), replay.allocatedBytes());
  }

  private static JmhSeries get(Map<Integer, JmhSeries> allSeries, int size) {
    JmhSeries series = allSeries.get(size);
    if (series == null) {
      throw new IllegalArgumentException("no measurement for bodies of " + size + " bytes");
    }
    return series;
  }
}
