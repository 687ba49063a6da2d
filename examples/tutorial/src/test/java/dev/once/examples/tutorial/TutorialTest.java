package dev.once.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what the page says, step by step, and compares what is printed with the page. The service is
 * a process that is really killed.
 */
class TutorialTest {
  private static final String START = "java -jar target/shop-1.jar";
  private static final int WORDS_OF_START = 3;
  private static final String KILL = "pkill -9 -f '" + START + "'";
  private static final String TEST = "mvn -q test";
  private static final String NO_ANSWER = "curl: (52) Empty reply from server";

  private static final int MINUTES = 2;

  private final Answers shown = new Answers();
  private final Answers received = new Answers();

  @TempDir Path directory;

  private @Nullable ShopProcess shop;
  private @Nullable CompletableFuture<String> unanswered;
  private int logs;

  @Test
  void printsWhatThePageSays() throws Exception {
    TutorialPage page = TutorialPage.read();
    ShopProject project = ShopProject.write(directory.resolve("shop"), page.files());

    for (Step step : page.steps()) {
      if (step instanceof Step.Logged logged) {
        shop().awaitLogged(logged.text());
      } else if (step instanceof Step.Command command) {
        perform(command, project);
      }
    }

    assertThat(page.steps())
        .as("the page kills the service, and runs its test last")
        .contains(new Step.Command(KILL, ""))
        .endsWith(new Step.Command(TEST, ""));
  }

  private void perform(Step.Command command, ShopProject project) throws Exception {
    String line = command.line();
    if (line.startsWith("curl ")) {
      send(command);
    } else if (line.startsWith(START)) {
      stop();
      List<String> arguments = Stream.of(line.split(" ", -1)).skip(WORDS_OF_START).toList();
      shop = ShopProcess.start(project, newLog(), arguments);
    } else {
      switch (line) {
        case KILL -> kill();
        case TEST -> test(project);
        // Done already: the modules of Once are on the class path, and the project is compiled.
        case "mvn -q install -DskipTests", "mvn -q package -DskipTests" -> {}
        default -> throw new AssertionError("this test does not know the command " + line);
      }
    }
  }

  private void send(Step.Command command) throws Exception {
    CompletableFuture<String> answer = Curl.parse(command.line(), shop().port()).send();
    if (command.output().equals(NO_ANSWER)) {
      unanswered = answer;
    } else {
      assertThat(received.comparable(answer.get(MINUTES, TimeUnit.MINUTES)))
          .as(command.line())
          .isEqualTo(shown.comparable(command.output()));
    }
  }

  private void kill() {
    CompletableFuture<String> request = Objects.requireNonNull(unanswered);
    assertThat(request).isNotDone();

    shop().kill();

    assertThatThrownBy(() -> request.get(MINUTES, TimeUnit.MINUTES))
        .hasRootCauseInstanceOf(IOException.class);
  }

  private void test(ShopProject project) throws Exception {
    stop();
    Path log = newLog();
    Process tests =
        project.run(
            log,
            "org.junit.platform.console.ConsoleLauncher",
            List.of("execute", "--fail-if-no-tests", "--scan-class-path=" + project.testClasses()));
    try {
      assertThat(tests.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      tests.destroyForcibly();
    }
    assertThat(tests.exitValue()).as(Files.readString(log)).isZero();
  }

  private ShopProcess shop() {
    return Objects.requireNonNull(shop, "the page must start the service first");
  }

  private Path newLog() {
    return directory.resolve("log-" + ++logs);
  }

  @AfterEach
  void stop() {
    ShopProcess running = shop;
    if (running != null) {
      running.close();
    }
  }
}
