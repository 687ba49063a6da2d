package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.internal.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The reference of the command line is what the commands say about themselves. With {@code
 * -Dsnippets=write} this test writes the page.
 */
class CommandLineTest {
  private static final Path PAGE = Repository.ROOT.resolve("docs/reference/command-line.md");
  private static final Path USAGES =
      Repository.ROOT.resolve("once-cli/src/main/resources/dev/once/cli");
  private static final Pattern COMMAND = Pattern.compile("^  ([a-z]+)  +", Pattern.MULTILINE);

  private static final String HEAD =
      """
      # Command line

      What `./once <command> --help` prints, for every command. Results are lines on the standard output, for programs with `--json`;
      everything else is on the standard error. [Incidents](../operating/incidents.md) shows the commands at work.

      | exit code | |
      |---|---|
      | 0 | done; `doctor`, `check`: nothing was found |
      | 1 | not done, and one line says why; `doctor`, `check`: something was found |
      | 2 | misused: the usage follows the reason |
      | 130, 143 | interrupted by Ctrl-C, or asked to terminate |

      `send` has codes of its own, for answers that differ.
      """;

  @Test
  void hasTheUsageOfEveryCommand() throws Exception {
    StringBuilder page = new StringBuilder(HEAD);
    for (String command : commands()) {
      page.append("\n## ").append(command).append("\n```\n");
      page.append(usage(command).strip()).append("\n```\n");
    }
    GeneratedPage.check(PAGE, page.toString());
  }

  /** Returns the commands in the order of {@code ./once --help}, those of a group after it. */
  private static List<String> commands() throws Exception {
    List<String> commands = new ArrayList<>();
    Matcher matcher = COMMAND.matcher(run("--help"));
    while (matcher.find()) {
      String name = matcher.group(1);
      commands.add(name);
      commands.addAll(name.equals("demo") ? demos() : commandsOf(name));
    }
    assertThat(commands).doesNotHaveDuplicates().hasSizeGreaterThan(40);
    return commands;
  }

  private static List<String> demos() {
    return List.of("demo payments", "demo pipeline", "demo offline");
  }

  private static Set<String> commandsOf(String group) throws IOException {
    try (Stream<Path> files = Files.list(USAGES)) {
      return files
          .map(it -> it.getFileName().toString())
          .filter(it -> it.startsWith(group + "-"))
          .map(it -> it.replaceFirst("-", " ").replace(".txt", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String usage(String command) throws Exception {
    return run((command + " --help").split(" ", -1));
  }

  /** Runs the script, which prints usages without a build. */
  private static String run(String... arguments) throws Exception {
    List<String> line =
        Stream.concat(
                Stream.of("bash", Repository.ROOT.resolve("once").toString()), Stream.of(arguments))
            .toList();
    Process script = new ProcessBuilder(line).redirectErrorStream(true).start();
    String out = new String(script.getInputStream().readAllBytes(), UTF_8);
    assertThat(script.waitFor()).as(out).isZero();
    return out;
  }
}
