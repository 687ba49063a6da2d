package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What commands print beside their results. */
class PrinterTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void progressIsPrintedEverySecond() throws Exception {
    CountDownLatch lines = new CountDownLatch(2);
    PrintStream stream =
        new PrintStream(bytes, true, StandardCharsets.UTF_8) {
          @Override
          public void println(String line) {
            super.println(line);
            lines.countDown();
          }
        };
    long start = System.nanoTime();
    try (ProgressLine progress = new ProgressLine(session(stream))) {
      progress.set("events=7");

      assertThat(lines.await(60, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1900));
    assertThat(bytes.toString(StandardCharsets.UTF_8)).startsWith("events=7\nevents=7\n");
  }

  @Test
  void aFailureOfTheRelayIsOneLine() {
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    RelayPrinter printer = new RelayPrinter(session(stream), new OutputOption());

    printer.failed(
        "r1", new StoreException("reading failed", new IllegalStateException("away\nat 1")));

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .hasLineCount(1)
        .endsWith("Z relay r1 failed and tries again: reading failed (away)\n");
  }

  private static Session session(PrintStream stream) {
    return new Session(Map.of(), stream, stream, prompt -> Optional.empty());
  }
}
