package dev.once.examples.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo in a terminal whose keys a test presses. */
@Timeout(180)
class ScreenTest {
  private static final String EDITED = "under a new key|follows it";
  private static final Duration ONE_EDIT = Duration.ofSeconds(1);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final PipedOutputStream keys = new PipedOutputStream();

  @TempDir Path folder;

  @Test
  void keysCutKillAndEditAndEachOperationIsAppliedOnce() throws Exception {
    try (Terminal terminal = terminal()) {
      Screen screen = new Screen(terminal);
      FutureTask<Summary> demo = new FutureTask<>(() -> screen.run(folder, 7));
      new Thread(demo, "screen").start();
      Polling.until(() -> out.toString(StandardCharsets.UTF_8).contains("cut/restore link"));

      press("a1");
      await(screen, "the link of phone 1 is cut");
      press("ww");
      await(screen, "phone 1 has .* in its queue");
      do { // An operation that is being sent is not edited.
        press("e");
      } while (!Polling.holdsWithin(ONE_EDIT, () -> hasSaid(screen, EDITED)));
      press("k");
      await(screen, "the app of phone 1 is killed");
      press("k");
      await(screen, "the app of phone 1 is started again");
      press("1");
      await(screen, "the link of phone 1 is restored");
      press("bXWq");
      Summary summary = demo.get(60, TimeUnit.SECONDS);

      assertThat(summary.isRight()).as(summary.text()).isTrue();
      assertThat(summary.text()).contains("operations applied once");
    }
  }

  private Terminal terminal() throws IOException {
    Terminal terminal =
        TerminalBuilder.builder()
            .system(false)
            .streams(new PipedInputStream(keys), out)
            .type("xterm")
            .encoding(StandardCharsets.UTF_8)
            .build();
    terminal.setSize(new Size(150, 70));
    return terminal;
  }

  private void press(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.US_ASCII));
    keys.flush();
  }

  private static void await(Screen screen, String pattern) throws Exception {
    Polling.until(() -> hasSaid(screen, pattern));
  }

  private static boolean hasSaid(Screen screen, String pattern) {
    Pattern line = Pattern.compile(pattern);
    return screen.last(100).stream().anyMatch(it -> line.matcher(it).find());
  }
}
