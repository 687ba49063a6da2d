package dev.once.bench;

import com.sun.management.ThreadMXBean;
import dev.once.json.Fingerprinter;
import java.lang.management.ManagementFactory;
import java.security.MessageDigest;
import java.util.concurrent.Callable;
import org.erdtman.jcs.JsonCanonicalizer;

/** The path from the bytes of a JSON body to the SHA-256 of its canonical form. */
record FingerprintBenchmark(Session session, SpeedTable table) {
  private static final int SMALL_BODY = 1024;
  private static final int LARGE_BODY = 65_536;

  // The least speed of the fingerprint, as a multiple of its peer's.
  private static final double SMALL_BODY_AIM = 5.5;
  private static final double LARGE_BODY_AIM = 5;

  /** Enough that a call which happens to allocate more does not count. */
  private static final int ALLOCATING_CALLS = 100;

  static Report run(Session session) throws Exception {
    SpeedTable table =
        SpeedTable.of(session, "fingerprint", "Canonical fingerprint of a JSON body");
    FingerprintBenchmark benchmark = new FingerprintBenchmark(session, table);
    benchmark.compare(SMALL_BODY, SMALL_BODY_AIM);
    benchmark.compare(LARGE_BODY, LARGE_BODY_AIM);
    return new Report(session.describeRounds(), table.report().tables());
  }

  private void compare(int bytes, double aim) throws Exception {
    byte[] body = Bodies.order(bytes);
    Fingerprinter fingerprinter = Fingerprinter.sha256();
    Series once = series("Once, once-json", () -> fingerprinter.json(body));
    Series peer =
        series(
            "java-json-canonicalization + SHA-256",
            () ->
                MessageDigest.getInstance("SHA-256")
                    .digest(new JsonCanonicalizer(body).getEncodedUTF8()));
    String work = "%,d bytes".formatted(bytes);
    table.compare(1, () -> {}, new SpeedTable.Contest(work, aim, once, peer));
  }

  private Series series(String name, Callable<Object> fingerprint) {
    Session.Call call = () -> Sample.requireFound(name, fingerprint.call().hashCode() != 0);
    return session
        .series(name, 1, call)
        .noting(() -> "%,d bytes allocated per call".formatted(allocatedBytes(call)));
  }

  private static long allocatedBytes(Session.Call call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < ALLOCATING_CALLS; i++) {
        call.perform();
      }
      return (threads.getCurrentThreadAllocatedBytes() - before) / ALLOCATING_CALLS;
    } catch (Exception e) {
      throw new IllegalStateException("a fingerprint failed", e);
    }
  }
}
