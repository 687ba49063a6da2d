package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The text of one line; {@link LogFormatTest} has its fields. */
class LogLineTest {
  private static final Logger LOG = LoggerFactory.getLogger(LogLineTest.class);

  private final LogLines lines = LogLines.of(LogLineTest.class);

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void quotesAValueThatIsNoWord() {
    LogLine.of(LOG, Level.INFO, "event")
        .with("plain", "api:POST:/orders/{id}")
        .with("empty", "")
        .with("spaces", "a b")
        .with("equals", "a=b")
        .with("quotes", "a \"b\" \\")
        .write();

    assertThat(lines.lines())
        .containsExactly(
            "INFO event plain=api:POST:/orders/{id} empty=\"\" spaces=\"a b\" equals=\"a=b\""
                + " quotes=\"a \\\"b\\\" \\\\\"");
  }

  /** A value may come from a client, and must not look like another line. */
  @Test
  void staysOneLine() {
    LogLine.of(LOG, Level.INFO, "event").with("actor", "ann\r\nINFO forged\u2028").write();

    assertThat(lines.lines())
        .containsExactly("INFO event actor=\"ann\\u000d\\u000aINFO forged\\u2028\"");
  }

  @Test
  void leavesOutAValueThatIsAbsent() {
    LogLine.of(LOG, Level.INFO, "event")
        .with("absent", Optional.empty())
        .with("present", Optional.of(1))
        .write();

    assertThat(lines.lines()).containsExactly("INFO event present=1");
  }

  @Test
  void computesNothingForALineThatIsNotWritten() {
    LogLine.of(LOG, Level.TRACE, "event")
        .with(
            "key_hash",
            () -> {
              throw new AssertionError("the level is off");
            })
        .write();

    assertThat(lines.lines()).isEmpty();
  }
}
