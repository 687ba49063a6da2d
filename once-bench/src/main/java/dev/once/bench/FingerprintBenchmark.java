package dev.once.bench;

import java.util.List;
import java.util.Map;

/** Measures the canonical fingerprint of JSON bodies with JMH, in separate JVMs. */
final class FingerprintBenchmark {
  /** The forks of the measurements alternate, like the rounds of the other benchmarks. */
  private static final int MAX_FORKS = 3;

  private static final String PEER = "java-json-canonicalization + SHA-256";

  private FingerprintBenchmark() {}

  /** The fingerprint of bodies of one size, and the least ratio of the speeds. */
  private record Body(int bytes, double aim, JmhSeries once, JmhSeries peer) {
    static Body of(int bytes, double aim) {
      Map<String, String> size = Map.of("bytes", Integer.toString(bytes));
      return new Body(
          bytes,
          aim,
          new JmhSeries(FingerprintJmh.class, "once", size),
          new JmhSeries(FingerprintJmh.class, "jcs", size));
    }

    void addTo(Table table) {
      double faster = peer.micros() / once.micros();
      table.row(bytes, "once-json", once.micros(), once.allocatedBytes(), "", "", "");
      table.row(
          bytes,
          PEER,
          peer.micros(),
          peer.allocatedBytes(),
          faster,
          Finding.atLeast(aim, "fingerprint of %,d bytes".formatted(bytes), PEER, faster));
    }
  }

  static Report run(Session session) throws Exception {
    List<Body> bodies = List.of(Body.of(1024, 5.5), Body.of(65_536, 5));
    int forks = Math.min(MAX_FORKS, session.settings().rounds());
    for (int fork = 1; fork <= forks; fork++) {
      for (Body body : bodies) {
        session.say("fingerprint of %,d bytes: fork %d of %d".formatted(body.bytes, fork, forks));
        body.once.measure(session.round());
        body.peer.measure(session.round());
      }
    }
    Table fingerprints =
        new Table(
                "Canonical fingerprint of a JSON body, from bytes to SHA-256",
                "body bytes | contestant | µs per call | bytes allocated per call"
                    + " | Once is faster, times | aim | met")
            .charted("µs per call", "contestant", "body bytes");
    bodies.forEach(it -> it.addTo(fingerprints));
    return new Report(
        "Median of %d JVMs, in turns. %s.".formatted(forks, Machine.describe()),
        List.of(fingerprints));
  }
}
