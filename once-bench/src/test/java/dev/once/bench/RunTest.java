package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTest {
  @Test
  void endsWithEveryAimAndHowManyWereMet() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Settings settings = Settings.DEFAULT.withRound(Duration.ofMillis(10)).unforked();

    new Run(
            List.of(Part.FINGERPRINT),
            settings,
            Outputs.NONE,
            new PrintStream(out, true, StandardCharsets.UTF_8))
        .measure();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("part 1/1] fingerprint of 1,024 bytes")
        .contains("| fingerprint of 65,536 bytes | java-json-canonicalization + SHA-256 |")
        .containsPattern("\\d of 2 aims met, \\d missed");
  }
}
