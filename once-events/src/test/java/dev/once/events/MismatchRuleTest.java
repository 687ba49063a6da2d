package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class MismatchRuleTest {
  private static final Fingerprint FIRST = new Fingerprint("sha256", "1111");
  private static final Fingerprint SECOND = new Fingerprint("sha256", "2222");

  private final EventData event = EventData.of("e-1", new Aggregate("order", "1"), "changed", "{}");

  @Test
  void errorNamesBothFingerprints() {
    assertThatThrownBy(() -> MismatchRule.ERROR.apply(event, FIRST, SECOND))
        .isInstanceOf(EventMismatchException.class)
        .hasMessageContainingAll("e-1", "1111", "2222");
  }

  @Test
  void warnLogsThemInsteadOfRefusingTheAppend() {
    Logger logger = Logger.getLogger(MismatchRule.class.getName());
    List<LogRecord> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      MismatchRule.WARN.apply(event, FIRST, SECOND);
    } finally {
      logger.removeHandler(handler);
    }

    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(logged.get(0).getMessage()).contains("e-1", "1111", "2222");
  }
}
