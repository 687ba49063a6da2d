package dev.once.cli;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long a command sends or waits. */
final class TimeoutOption {
  private static final int MAX_SECONDS = 3600;

  @Option(names = "--timeout")
  private @Nullable Integer seconds;

  Optional<Duration> timeout() {
    if (seconds == null) {
      return Optional.empty();
    }
    int value = seconds;
    if (value < 1 || value > MAX_SECONDS) {
      throw new Misuse("--timeout must be 1 to %d seconds, got %d".formatted(MAX_SECONDS, value));
    }
    return Optional.of(Duration.ofSeconds(value));
  }

  Deadline deadline() {
    return new Deadline(System.nanoTime(), timeout());
  }
}
