package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.json.Fingerprinter;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import org.erdtman.jcs.JsonCanonicalizer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the path from the bytes of a request's body to the digest of its canonical form. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FingerprintJmh {
  private final Fingerprinter fingerprinter = Fingerprinter.sha256();

  /** The size of the body. */
  @Param({"1024", "65536"})
  public int bytes;

  private byte[] body = {};

  @Setup
  public void makeBody() {
    body = Bodies.order(bytes);
  }

  @Benchmark
  public Fingerprint once() {
    return fingerprinter.json(body);
  }

  @Benchmark
  public byte[] jcs() throws IOException, NoSuchAlgorithmException {
    byte[] canonical = new JsonCanonicalizer(body).getEncodedUTF8();
    return MessageDigest.getInstance("SHA-256").digest(canonical);
  }
}
