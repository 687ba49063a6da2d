package dev.once.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jdbc.JdbcSchema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The line in the log that says how an application is guarded. */
class StartLineTest {
  @Test
  void saysHowRequestsAreGuarded() {
    assertThat(startLine())
        .contains(
            "once.started contract=strict mode=transactional store=JdbcRecordStore schema="
                + JdbcSchema.VERSION
                + " enforcement=enforce unrouted=pass");
  }

  @Test
  void saysThatACrashedLeasedRouteExecutesAgain() {
    assertThat(startLine())
        .contains(
            "after_a_crash=\"leased routes execute again: set once.recovery=ask for payments");
  }

  @Test
  void showsWhatTheSettingsChose() {
    assertThat(
            startLine(
                "once.contract=ietf",
                "once.mode=leased",
                "once.recovery=ask",
                "once.http.enforcement=report",
                "once.http.unrouted=refuse"))
        .contains("contract=ietf mode=leased", "enforcement=report unrouted=refuse")
        .contains("after_a_crash=\"leased routes stay uncertain until they are reconciled\"");
  }

  /** Starts an application and returns the line; logging is set up anew by each start. */
  private static String startLine(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("logging.level.dev.once.spring.StartLine=info");
    PrintStream console = System.out;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setOut(new PrintStream(log, true, UTF_8));
    try {
      App.start(Shop.class, all.toArray(String[]::new)).close();
    } finally {
      System.setOut(console);
    }
    List<String> lines =
        log.toString(UTF_8).lines().filter(it -> it.contains("once.started")).toList();
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }
}
