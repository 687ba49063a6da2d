package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What bash offers after it has read the script of {@code ./once completion}. */
@Timeout(120)
class CompletionCommandTest {
  @TempDir private Path directory;

  @BeforeEach
  void writeScript() throws Exception {
    CliRun run =
        CliRun.of(
            Map.of(),
            "completion",
            "bash",
            "--usage",
            "demo=usage: ./once demo\n\n  --port <number>   where it listens\n  --fresh   new",
            "--usage",
            "demo payments=usage: ./once demo payments\n\n  --orders <number>   how many");
    assertThat(run.exitCode()).as(run.err()).isZero();
    Files.writeString(directory.resolve("completion.bash"), run.out());
  }

  @Test
  void completesCommands() throws Exception {
    assertThat(complete("once", "s")).containsExactly("schema", "send", "settle", "stats");
    assertThat(complete("./once", "jobs", "r")).containsExactly("repeat", "retry", "run-now");
    assertThat(complete("once", "demo", "p")).containsExactly("payments");
  }

  @Test
  void completesOptionsAndTheirValues() throws Exception {
    assertThat(complete("once", "inspect", "--s")).containsExactly("--scope", "--state");
    assertThat(complete("once", "schema", "print", "--for", "l")).containsExactly("liquibase");
    assertThat(complete("once", "demo", "--")).containsExactly("--fresh", "--port");
    assertThat(complete("once", "demo", "payments", "--")).containsExactly("--orders");
  }

  @Test
  void namesEveryCommand() throws Exception {
    assertThat(complete("once", ""))
        .containsAll(Cli.commands(Session.ofSystem()).getSubcommands().keySet());
  }

  @Test
  void refusesAnotherShell() {
    CliRun run = CliRun.of(Map.of(), "completion", "fish");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("usage: ./once completion <shell>");
  }

  /** Returns what bash proposes for the last word. */
  private List<String> complete(String... words) throws Exception {
    StringBuilder line = new StringBuilder();
    for (String word : words) {
      line.append('"').append(word).append("\" ");
    }
    String script =
        """
        source %s
        COMP_WORDS=(%s)
        COMP_CWORD=%d
        %s
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(
                directory.resolve("completion.bash"),
                line,
                words.length - 1,
                "$(complete -p once | sed 's/.*-F \\([^ ]*\\).*/\\1/')");
    // Outside of a completion, compopt has nothing to change, and says so.
    Process bash = new ProcessBuilder("bash", "-c", script).redirectError(Redirect.DISCARD).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(out).isZero();
    return List.copyOf(
        new TreeSet<>(out.lines().map(String::strip).filter(it -> !it.isEmpty()).toList()));
  }
}
